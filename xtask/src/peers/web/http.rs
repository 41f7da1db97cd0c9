//! As much of HTTP as it takes to post a text and to read what comes back.

use std::{
    io::{BufRead, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};

const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// The session that it opens.
    pub(super) session: Option<String>,
    is_stream: bool,
}

impl Reply {
    /// The messages in it: one, or the events of a stream.
    pub(super) fn messages(&self) -> Vec<&str> {
        if !self.is_stream {
            return vec![&self.body];
        }
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        // An event may be empty: it marks a place only.
        data.map(str::trim_start).filter(|data| !data.is_empty()).collect()
    }
}

/// One request on a connection of its own.
pub(super) fn post(
    authority: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Reply> {
    let mut stream = TcpStream::connect(authority)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    write!(request, "POST {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n")?;
    let fixed = [("Content-Type", "application/json"), ("Content-Length", &body.len().to_string())];
    for (name, value) in fixed.iter().chain(headers) {
        write!(request, "{name}: {value}\r\n")?;
    }
    write!(request, "\r\n{body}")?;
    stream.write_all(&request)?;
    read(BufReader::new(stream))
}

fn read(mut stream: impl BufRead) -> Result<Reply> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).context("a status")?.parse()?;
    let (mut length, mut chunked, mut session, mut is_stream) = (None, false, None, false);
    loop {
        line.clear();
        ensure!(stream.read_line(&mut line)? > 0, "the headers do not end");
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = Some(value.parse()?),
            "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
            "mcp-session-id" => session = Some(value.to_owned()),
            "content-type" => is_stream = value.starts_with("text/event-stream"),
            _ => {}
        }
    }
    let mut body = Vec::new();
    match length {
        _ if chunked => read_chunks(&mut stream, &mut body)?,
        Some(length) => drop(stream.take(length).read_to_end(&mut body)?),
        None => drop(stream.read_to_end(&mut body)?),
    }
    Ok(Reply { status, body: String::from_utf8(body)?, session, is_stream })
}

fn read_chunks(stream: &mut impl BufRead, body: &mut Vec<u8>) -> Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        ensure!(stream.read_line(&mut line)? > 0, "the chunks do not end");
        let size = line.trim_end().split(';').next().unwrap_or_default();
        let size = u64::from_str_radix(size, 16).with_context(|| format!("a chunk of `{size}`"))?;
        if size == 0 {
            return Ok(());
        }
        stream.by_ref().take(size).read_to_end(body)?;
        line.clear();
        stream.read_line(&mut line)?;
    }
}

#[cfg(test)]
mod tests;
