//! The surface where a tool is called by its own name, behind its server's.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::{
    result_of,
    servers::Server,
    truth::{Tool, Truth, difference},
};
use crate::peers::speech::{Asks, Piped};

/// A surface where tools can be called: gives the result as it was written.
pub(super) trait Calls {
    fn call(&mut self, server: &str, tool: &str, arguments: &Value) -> Result<String>;
}

pub(super) struct Direct<'a>(pub(super) &'a mut Piped);

impl Calls for Direct<'_> {
    fn call(&mut self, server: &str, tool: &str, arguments: &Value) -> Result<String> {
        result_of(self.0.call(&format!("{server}_{tool}"), arguments)?)
    }
}

/// Whether each tool is listed as its server does, but for the name; and no others under this server's name.
pub(super) fn judge_list(listed: &[String], server: &Server, truth: &Truth) -> Result<()> {
    for (name, tool) in &truth.tools {
        let own = format!(r#""name":"{name}""#);
        ensure!(tool.matches(&own).count() == 1, "{name} cannot be renamed: {tool}");
        let shown = format!("{}_{name}", server.name);
        let wanted = tool.replace(&own, &format!(r#""name":"{shown}""#));
        let found = listed.iter().find(|tool| name_of(tool).is_ok_and(|found| found == shown));
        let found = found.with_context(|| format!("`{shown}` is not listed"))?;
        ensure!(*found == wanted, "{shown}: {}", difference(&wanted, found));
    }
    Ok(())
}

fn name_of(tool: &str) -> Result<String> {
    Ok(serde_json::from_str::<Tool<'_>>(tool)?.name)
}
