//! The barest MCP server: one thread, one read and one write for each batch of requests, nothing decided or recorded.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::Result;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lines::Lines;

const INITIALIZE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1"}}"#;
const LIST: &str = r#"{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}},"annotations":{"readOnlyHint":true}}]}"#;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: &'a str,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    arguments: Echo<'a>,
}

#[derive(Deserialize)]
struct Echo<'a> {
    /// Kept as it came, quotes and escapes included.
    #[serde(borrow)]
    message: &'a RawValue,
}

/// Answers every call with its own message.
pub(crate) fn echo(input: impl Read, output: impl Write) -> Result<()> {
    echo_among(LIST, input, output)
}

/// The same, as one of the tools of `list`, the result of `tools/list`.
pub(crate) fn echo_among(list: &str, input: impl Read, output: impl Write) -> Result<()> {
    serve(list, input, output, |params, out| {
        let call: Call<'_> = serde_json::from_str(params)?;
        write!(out, r#"{{"content":[{{"type":"text","text":{}}}]}}"#, call.arguments.message.get())
    })
}

/// Answers every call by reading the file and sending a reply of its size, made beforehand.
pub(crate) fn reader(path: &Path, input: impl Read, output: impl Write) -> Result<()> {
    let text = serde_json::to_string(&std::fs::read_to_string(path)?)?;
    let result = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
    let mut contents = Vec::new();
    serve(LIST, input, output, |_, out| {
        contents.clear();
        File::open(path)?.read_to_end(&mut contents)?;
        out.write_all(result.as_bytes())
    })
}

fn serve(
    list: &str,
    input: impl Read,
    mut output: impl Write,
    mut call: impl FnMut(&str, &mut Vec<u8>) -> io::Result<()>,
) -> Result<()> {
    let mut lines = Lines::new(input);
    let mut out = Vec::new();
    while let Some(line) = lines.next_line()? {
        let request: Request<'_> = serde_json::from_slice(line)?;
        if let Some(id) = request.id {
            write!(out, r#"{{"jsonrpc":"2.0","id":{},"result":"#, id.get())?;
            match request.method {
                "initialize" => out.extend(INITIALIZE.as_bytes()),
                "tools/list" => out.extend(list.as_bytes()),
                "tools/call" => call(request.params.map_or("{}", RawValue::get), &mut out)?,
                _ => out.extend(b"{}"),
            }
            out.extend(b"}\n");
        }
        if !lines.has_line() {
            output.write_all(&out)?;
            out.clear();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
