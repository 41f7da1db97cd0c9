//! The official Python SDK lists and calls the built-in tools, in both eras of the protocol.

use std::{process::Command, time::Duration};

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
pub(super) const MODES: [&str; 2] = ["legacy", "2026-07-28"];

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let python = install::python(ground)?;
    // The list, and a call of each tool.
    let wanted = 1 + Expected::load()?.calls.len();
    for mode in MODES {
        let place = ground.place(&format!("python-{mode}"))?;
        let mut client = place.command(&python);
        client.arg(scripts().join("python_client.py")).arg(mode);
        client.arg(place.root()).args(place.server());
        judge(mode, wanted, client, report)?;
    }
    Ok(())
}

/// Runs a script that tells its checks, `wanted` of them.
pub(super) fn judge(name: &str, wanted: usize, script: Command, report: &mut Report) -> Result<()> {
    let output = output_within(PATIENCE, script)?;
    let told = String::from_utf8_lossy(&output.stdout);
    let checks: Vec<_> = told.lines().map(outcome).collect::<Result<_>>()?;
    let complete = checks.len() == wanted && output.status.code().is_some_and(|code| code < 2);
    for (check, outcome) in checks {
        report.add(&format!("{name} {check}"), outcome);
    }
    if !complete {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("{name} ended early ({}): {why}", output.status);
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
