//! A plugin as `awf plugin init` makes it: cargo, with nothing but the registry, builds it. Too slow for `cargo test`.

use std::{path::Path, time::Duration};

use anyhow::{Result, ensure};

use crate::{
    command::{command, output_within},
    peers::{ground::Ground, report::Report},
};

/// Everything beneath it is built, from the first crate on.
const BUILD: Duration = Duration::from_mins(15);
const START: Duration = Duration::from_secs(10);

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let folder = ground.folder("scaffold")?.join("sample");
    let mut init = command(ground.awf());
    init.args(["plugin", "init"]).arg(&folder).args(["--name", "sample"]);
    let made = output_within(START, init)?;
    ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // It outlives the run, so that the next one is quick.
    let target = ground.tools().join("scaffold");
    report.check("a new plugin builds", || builds(&folder, &target));
    report.check("and says what it is", || speaks(&target));
    Ok(())
}

fn builds(folder: &Path, target: &Path) -> Result<()> {
    let mut build = command("cargo");
    build.args(["build", "--quiet"]).current_dir(folder).env("CARGO_TARGET_DIR", target);
    let built = output_within(BUILD, build)?;
    let said = String::from_utf8_lossy(&built.stderr);
    ensure!(built.status.success(), "{said}");
    ensure!(said.is_empty(), "a new plugin has warnings: {said}");
    Ok(())
}

fn speaks(target: &Path) -> Result<()> {
    let said = output_within(START, command(target.join("debug/awf-plugin-sample")))?;
    ensure!(said.status.code() == Some(1), "started by hand, it ended with {}", said.status);
    ensure!(said.stderr.starts_with(b"this program is a plugin for awf"), "it says nothing");
    Ok(())
}
