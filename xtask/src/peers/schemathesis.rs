//! Schemathesis reads the served `OpenAPI` document and tries what it allows and what it forbids, with every check it has.

use std::{fs, time::Duration};

use anyhow::{Result, bail, ensure};

use super::{ground::Ground, install, report::Report, web::Served};
use crate::command::{output_within, succeed};

const PACKAGE: &str = "schemathesis==4.32.5";
const PATIENCE: Duration = Duration::from_mins(5);
/// Per operation, beside those that the document itself leads to.
const EXAMPLES: &str = "100";
/// The same cases each time: a finding can be found again.
const SEED: &str = "1";

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let programs = install::venv(ground, "schemathesis", PACKAGE)?;
    let place = ground.place("schemathesis")?;
    fs::write(place.root().join("a.txt"), "hello\n")?;
    // Something to find: a call of each kind, and a run.
    let mut demo = place.command(ground.awf());
    demo.arg("demo");
    succeed(demo)?;
    let mut serve = place.command(ground.awf());
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::start(&place, serve)?;
    let mut run = place.command(programs.join("schemathesis"));
    run.args(["run", &format!("{}/openapi.json", served.origin()), "--checks", "all"])
        .args(["--header", &format!("X-API-Key: {}", served.key())])
        .args(["--max-examples", EXAMPLES, "--seed", SEED, "--request-timeout", "20"])
        // A stream of events has no end that could be waited for; its own tests hold it against the document.
        .args(["--exclude-path", "/api/v1/events"])
        .args(["--warnings", "off", "--no-color", "--report-dir"])
        .arg(place.file("report"));
    report.check("finds nothing", || {
        let output = output_within(PATIENCE, run)?;
        let told = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            bail!("{}:\n{told}\n{why}", output.status);
        }
        ensure!(told.contains("No issues found"), "it tried nothing:\n{told}");
        Ok(())
    });
    served.close()
}
