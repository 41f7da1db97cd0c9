//! The official conformance suite against the fixture server of `awf-mcp`: its scenarios about tools.

mod bridge;

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::{
    ground::{Ground, scripts},
    install::Node,
    report::Report,
};
use crate::command::output_within;
use bridge::Bridge;

const PATIENCE: Duration = Duration::from_mins(1);

struct Suite {
    entry: &'static str,
    options: &'static [&'static str],
    scenarios: &'static [&'static str],
    /// Checks of a scenario that may fail are named, with a reason each, in a file beside the scripts.
    expected_failures: Option<&'static str>,
}

const STABLE: Suite = Suite {
    entry: "@modelcontextprotocol/conformance/dist/index.js",
    options: &[],
    scenarios: &[
        "server-initialize",
        "ping",
        "tools-list",
        "tools-call-simple-text",
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "tools-call-error",
        "tools-call-with-progress",
        "json-schema-2020-12",
    ],
    expected_failures: None,
};

const NEXT: Suite = Suite {
    entry: "conformance-next/dist/index.js",
    options: &["--spec-version", "2026-07-28"],
    scenarios: &[
        "tools-list",
        "tools-call-simple-text",
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "tools-call-error",
        "tools-call-with-progress",
        "json-schema-2020-12",
        "server-stateless",
        "caching",
    ],
    expected_failures: Some("conformance-expected-failures.yml"),
};

pub(crate) fn check_stable(ground: &Ground, report: &mut Report) -> Result<()> {
    STABLE.check(ground, report)
}

pub(crate) fn check_next(ground: &Ground, report: &mut Report) -> Result<()> {
    NEXT.check(ground, report)
}

impl Suite {
    fn check(&self, ground: &Ground, report: &mut Report) -> Result<()> {
        let node = Node::installed(ground)?;
        let bridge = Bridge::open(&node, &ground.fixture())?;
        for scenario in self.scenarios {
            report.check(scenario, || self.run(&node, bridge.address(), scenario));
        }
        bridge.close()
    }

    fn run(&self, node: &Node, address: &str, scenario: &str) -> Result<()> {
        let mut suite = node.run(node.module(self.entry));
        suite.args(["server", "--url", address, "--scenario", scenario]).args(self.options);
        if let Some(file) = self.expected_failures {
            suite.arg("--expected-failures").arg(scripts().join(file));
        }
        let output = output_within(PATIENCE, suite)?;
        let said = String::from_utf8_lossy(&output.stdout);
        let talk = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}\n{said}{talk}", output.status);
        ensure!(passed(&said)? > 0, "no check was made\n{said}");
        Ok(())
    }
}

/// How many checks passed, from the line `Passed: 4/7, 3 failed, 0 warnings`.
fn passed(said: &str) -> Result<usize> {
    let tally = said.lines().find_map(|line| line.strip_prefix("Passed: "));
    let count = tally.and_then(|tally| tally.split_once('/')).context("a line with the tally")?.0;
    Ok(count.parse()?)
}
