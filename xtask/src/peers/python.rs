//! The official Python SDK lists and calls the built-in tools, in both eras of the protocol.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::{
    expected::Expected,
    ground::{Ground, scripts},
    install,
    report::Report,
};
use crate::command::output_within;

const PATIENCE: Duration = Duration::from_mins(2);

/// What the SDK calls the eras: with a handshake, and without sessions.
const MODES: [&str; 2] = ["legacy", "2026-07-28"];

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let python = install::python(ground)?;
    // The list, and a call of each tool.
    let wanted = 1 + Expected::load()?.calls.len();
    for mode in MODES {
        let place = ground.place(&format!("python-{mode}"))?;
        let mut client = place.command(&python);
        client.arg(scripts().join("python_client.py")).arg(mode);
        client.arg(place.root()).args(place.server());
        let output = output_within(PATIENCE, client)?;
        let told = String::from_utf8_lossy(&output.stdout);
        let checks: Vec<_> = told.lines().map(outcome).collect::<Result<_>>()?;
        let complete = checks.len() == wanted && output.status.code().is_some_and(|code| code < 2);
        for (name, outcome) in checks {
            report.add(&format!("{mode} {name}"), outcome);
        }
        if !complete {
            bail!(
                "{mode} ended early ({}): {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    Ok(())
}

/// A line of the script: `pass <check>`, or `fail <check>: <why>`.
fn outcome(line: &str) -> Result<(&str, Result<()>)> {
    let (verdict, rest) = line.split_once(' ').context("a verdict")?;
    match verdict {
        "pass" => Ok((rest, Ok(()))),
        "fail" => {
            let (name, why) = rest.split_once(": ").unwrap_or((rest, "no reason given"));
            Ok((name, Err(anyhow!("{why}"))))
        }
        _ => bail!("the script said `{line}`"),
    }
}
