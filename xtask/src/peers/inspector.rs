//! The MCP inspector's command line lists and calls the built-in tools, in both eras of the protocol.

use std::{fs, time::Duration};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{
    expected::Expected,
    ground::{Ground, Place},
    install::Node,
    report::Report,
};
use crate::command::output_within;

const PATIENCE: Duration = Duration::from_mins(1);
pub(super) const ENTRY: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// The inspector's names for a protocol with a handshake and one without sessions.
pub(super) const ERAS: [&str; 2] = ["legacy", "modern"];

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let node = Node::installed(ground)?;
    let expected = Expected::load()?;
    for era in ERAS {
        let place = ground.place(&format!("inspector-{era}"))?;
        let inspector = Inspector::new(&node, &place, era)?;
        report.check(&format!("{era} lists the tools, schemas portable"), || {
            // `--strict`: an inputSchema that some provider refuses is an error.
            expected.judge_list(&inspector.ask(&["--method", "tools/list", "--strict"])?)
        });
        for call in &expected.calls {
            report.check(&format!("{era} calls {}", call.tool), || {
                let arguments = call.arguments.to_string();
                let words = ["--method", "tools/call", "--tool-name", &call.tool];
                let result =
                    inspector.ask(&[&words[..], &["--tool-args-json", &arguments]].concat())?;
                call.judge(&result, &place)
            });
        }
    }
    Ok(())
}

struct Inspector<'a> {
    node: &'a Node,
    place: &'a Place,
    era: &'static str,
}

impl<'a> Inspector<'a> {
    fn new(node: &'a Node, place: &'a Place, era: &'static str) -> Result<Self> {
        // It reads flags anywhere on its command line, so a server with flags of its own is named in a file.
        let [awf, arguments @ ..] = place.server();
        let environment: serde_json::Map<String, Value> = place
            .environment()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect();
        let server =
            json!({"type": "stdio", "command": awf, "args": arguments, "env": environment});
        fs::write(
            place.file("inspector.json"),
            json!({"mcpServers": {"awf": server}}).to_string(),
        )?;
        Ok(Self { node, place, era })
    }

    /// The result of one request.
    fn ask(&self, words: &[&str]) -> Result<Value> {
        let mut command = self.node.run(self.node.module(ENTRY));
        command.envs(self.place.environment()).args(["--cli", "--server", "awf", "--config"]);
        command.arg(self.place.file("inspector.json"));
        command.args(["--format", "json", "--quiet", "--protocol-era", self.era]).args(words);
        let output = output_within(PATIENCE, command)?;
        let (said, talk) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(output.status.success(), "{}: {talk}{said}", output.status);
        let answer: Value = serde_json::from_str(&said).with_context(|| format!("read {said}"))?;
        Ok(answer["result"].clone())
    }
}
