//! The Python SDK and the inspector, over streamable HTTP in both eras of the protocol.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::Served;
use crate::{
    command::output_within,
    peers::{
        ground::{Ground, scripts},
        inspector, install,
        install::Node,
        python,
        report::Report,
    },
};

const PATIENCE: Duration = Duration::from_mins(1);
/// The list, a search and a call.
const CHECKS: usize = 3;
const TOOLS: [&str; 4] =
    ["call_tool_destructive", "call_tool_read", "call_tool_write", "retrieve_tools"];

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let (node, interpreter) = (Node::installed(ground)?, install::python(ground)?);
    let place = ground.place("web")?;
    std::fs::write(place.root().join("marker.txt"), "the marker is 7731\n")?;
    let mut serve = place.command(ground.awf());
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::start(&place, serve)?;
    for mode in python::MODES {
        let mut client = place.command(&interpreter);
        client.arg(scripts().join("python_web_client.py")).arg(mode);
        client.arg(served.address()).env("AWF_KEY", served.key());
        python::judge(&format!("python {mode}"), CHECKS, client, report)?;
    }
    for era in inspector::ERAS {
        let inspector = Inspector { node: &node, served: &served, era };
        report.check(&format!("inspector {era} lists the tools"), || inspector.lists());
        report.check(&format!("inspector {era} finds a tool"), || inspector.finds());
        report.check(&format!("inspector {era} calls it"), || inspector.calls());
    }
    served.close()
}

struct Inspector<'a> {
    node: &'a Node,
    served: &'a Served,
    era: &'static str,
}

impl Inspector<'_> {
    fn ask(&self, words: &[&str]) -> Result<Value> {
        let mut command = self.node.run(self.node.module(inspector::ENTRY));
        command.args(["--cli", &self.served.address(), "--transport", "http", "--header"]);
        command.arg(format!("X-API-Key: {}", self.served.key()));
        command.args(["--format", "json", "--quiet", "--protocol-era", self.era]).args(words);
        let output = output_within(PATIENCE, command)?;
        let said = String::from_utf8_lossy(&output.stdout);
        let talk = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {talk}{said}", output.status);
        let answer: Value = serde_json::from_str(&said).with_context(|| format!("read {said}"))?;
        Ok(answer["result"].clone())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Result<Value> {
        let arguments = arguments.to_string();
        let words = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json"];
        self.ask(&[&words[..], &[&arguments]].concat())
    }

    fn lists(&self) -> Result<()> {
        // `--strict`: an inputSchema that some provider refuses is an error.
        let listed = self.ask(&["--method", "tools/list", "--strict"])?;
        let tools = listed["tools"].as_array().into_iter().flatten();
        let mut names: Vec<_> = tools.filter_map(|tool| tool["name"].as_str()).collect();
        names.sort_unstable();
        ensure!(names == TOOLS, "it lists {names:?}");
        Ok(())
    }

    fn finds(&self) -> Result<()> {
        let found = self.call("retrieve_tools", &json!({"query": "read a file"}))?;
        let tools = found["structuredContent"]["tools"].as_array().context("tools")?;
        let ours = |tool: &Value| tool["name"].as_str().is_some_and(|name| name.ends_with("Read"));
        ensure!(tools.iter().any(ours), "{found}");
        Ok(())
    }

    fn calls(&self) -> Result<()> {
        let arguments = json!({
            "name": "builtin:Read",
            "args": {"file_path": "marker.txt"},
            "intent": {"operation_type": "read"},
        });
        let result = self.call("call_tool_read", &arguments)?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        ensure!(text.contains("the marker is 7731"), "{result}");
        Ok(())
    }
}
