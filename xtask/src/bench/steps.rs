//! A shell step of a workflow, against starting the shell and nothing else.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};

use super::{figure::Figure, rounds::side_by_side, setting::Setting};
use crate::{client::microseconds, command::command};

/// Steps of one run. What a run costs apart from its steps is measured by a run of one and taken off.
const STEPS: u32 = 200;

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let [one, many] =
        [(1, "one"), (STEPS + 1, "many")].map(|(steps, name)| write(setting, steps, name));
    let (one, many) = (one?, many?);
    let awf = || Ok((run(setting, &many)? - run(setting, &one)?) / f64::from(STEPS));
    let sides = side_by_side(setting.scale.rounds, shells, awf)?;
    Ok(vec![Figure::ratio("a step `true`, beside `sh -c true`", sides, 1.3)])
}

/// A chain of steps.
fn write(setting: &Setting, steps: u32, name: &str) -> Result<PathBuf> {
    let mut text = String::from("states:\n  initial: s1\n");
    for at in 1..=steps {
        let next = at + 1;
        writeln!(text, "  s{at}: {{type: step, command: 'true', on_success: s{next}}}")?;
    }
    writeln!(text, "  s{}: {{type: terminal}}", steps + 1)?;
    let path = setting.root().join(format!("{name}.yaml"));
    fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    Ok(path)
}

fn run(setting: &Setting, workflow: &Path) -> Result<f64> {
    let start = Instant::now();
    let status = setting
        .awf_with(&["run", "--format", "quiet"])
        .arg(workflow)
        .env("SHELL", "/bin/sh")
        .stdin(Stdio::null())
        .status()?;
    ensure!(status.success(), "{} failed", workflow.display());
    Ok(microseconds(start.elapsed()))
}

/// The time of one of as many shells.
fn shells() -> Result<f64> {
    let start = Instant::now();
    for _ in 0..STEPS {
        let status = command("/bin/sh").args(["-c", "true"]).stdin(Stdio::null()).status()?;
        ensure!(status.success(), "sh failed");
    }
    Ok(microseconds(start.elapsed()) / f64::from(STEPS))
}
