//! The surface where tools are found first and called by what they do: over MCP, over REST, and by the command line.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    Stand,
    direct::Calls,
    result_of,
    servers::Server,
    truth::{Tool, Truth, difference},
};
use crate::{
    command::output_within,
    peers::{speech::Asks, web::Served},
};

const PATIENCE: Duration = Duration::from_mins(1);
/// As many as may be asked for.
const LIMIT: u32 = 100;

/// The variant that each tool was found with, by `server:tool`.
#[derive(Default)]
pub(super) struct Variants(BTreeMap<String, String>);

impl Variants {
    fn of(&self, name: &str) -> Result<&str> {
        self.0.get(name).map(String::as_str).with_context(|| format!("`{name}` was not found"))
    }

    /// The call of `name`, as the surface has it.
    fn call(&self, name: &str, arguments: &Value) -> Result<(&str, Value)> {
        let variant = self.of(name)?;
        let operation = variant.trim_start_matches("call_tool_");
        let intent = json!({"operation_type": operation});
        Ok((variant, json!({"name": name, "args": arguments, "intent": intent})))
    }
}

#[derive(Deserialize)]
struct Retrieved<'a> {
    #[serde(borrow, rename = "structuredContent")]
    structured: Structured<'a>,
}

#[derive(Deserialize)]
struct Structured<'a> {
    #[serde(borrow)]
    tools: Vec<Found<'a>>,
}

#[derive(Deserialize)]
struct Found<'a> {
    name: String,
    server: String,
    #[serde(borrow, rename = "inputSchema")]
    input_schema: &'a RawValue,
    #[serde(borrow)]
    annotations: &'a RawValue,
    call_with: String,
}

impl Found<'_> {
    fn is(&self, server: &str, tool: &str) -> bool {
        self.server == server && (self.name == tool || self.name == format!("{server}:{tool}"))
    }
}

/// Whether each tool of a server is found by its own name, with its own schema and annotations; notes its variant.
pub(super) fn find(
    session: &mut dyn Asks,
    server: &Server,
    truth: &Truth,
    variants: &mut Variants,
) -> Result<()> {
    for (name, tool) in &truth.tools {
        let tool: Tool<'_> = serde_json::from_str(tool)?;
        let question = json!({"query": name, "limit": LIMIT});
        let answer = result_of(session.call("retrieve_tools", &question)?)?;
        let retrieved: Retrieved<'_> = serde_json::from_str(&answer)
            .with_context(|| format!("read {}", answer.chars().take(300).collect::<String>()))?;
        let mut found = retrieved.structured.tools.iter();
        let found = found
            .find(|found| found.is(server.name, name))
            .with_context(|| format!("`{name}` is not found"))?;
        let wanted = tool.annotations.map_or("{}", RawValue::get);
        for (wanted, found) in
            [(tool.input_schema.get(), found.input_schema.get()), (wanted, found.annotations.get())]
        {
            ensure!(wanted == found, "{name}: {}", difference(wanted, found));
        }
        let known = ["call_tool_read", "call_tool_write", "call_tool_destructive"];
        ensure!(known.contains(&&*found.call_with), "{name} by `{}`", found.call_with);
        variants.0.insert(format!("{}:{name}", server.name), found.call_with.clone());
    }
    Ok(())
}

/// Over MCP.
pub(super) struct Intent<'a> {
    pub(super) session: &'a mut dyn Asks,
    pub(super) variants: &'a Variants,
}

impl Calls for Intent<'_> {
    fn call(&mut self, server: &str, tool: &str, arguments: &Value) -> Result<String> {
        let (variant, arguments) = self.variants.call(&format!("{server}:{tool}"), arguments)?;
        result_of(self.session.call(variant, &arguments)?)
    }
}

pub(super) struct Rest<'a> {
    pub(super) served: &'a Served,
    pub(super) variants: &'a Variants,
}

impl Calls for Rest<'_> {
    fn call(&mut self, server: &str, tool: &str, arguments: &Value) -> Result<String> {
        let (variant, arguments) = self.variants.call(&format!("{server}:{tool}"), arguments)?;
        let body = json!({"tool_name": variant, "arguments": arguments}).to_string();
        let reply = self.served.post("/api/v1/tools/call", &[], &body)?;
        ensure!(reply.status == 200, "status {}: {}", reply.status, reply.body);
        Ok(reply.body)
    }
}

/// `awf call`, which starts a server for each call.
pub(super) struct Cli<'a> {
    pub(super) stand: &'a Stand<'a>,
    pub(super) variants: &'a Variants,
}

impl Calls for Cli<'_> {
    fn call(&mut self, server: &str, tool: &str, arguments: &Value) -> Result<String> {
        let name = format!("{server}:{tool}");
        let variant = self.variants.of(&name)?.replace("call_tool_", "tool-");
        let arguments = arguments.to_string();
        let words = ["call", &variant, &name, "--args", &arguments, "-o", "json"];
        let output = output_within(PATIENCE, self.stand.awf(&words))?;
        let said = String::from_utf8(output.stdout)?;
        let said = said.strip_suffix('\n').unwrap_or(&said);
        ensure!(!said.is_empty(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        Ok(said.to_owned())
    }
}
