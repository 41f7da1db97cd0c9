//! A plugin as `awf plugin init` makes it: cargo, with nothing but the registry, builds it. Too slow for `cargo test`.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context, Result, ensure};

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
    report.check("and is used as its page says", || is_used(ground, &folder, &target));
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

/// The declaration, the workflow and the commands are those of its `README.md`.
fn is_used(ground: &Ground, folder: &Path, target: &Path) -> Result<()> {
    let page = fs::read_to_string(folder.join("README.md"))?;
    let blocks: Vec<&str> = page.split("```yaml\n").skip(1).collect();
    let block = |index: usize| {
        let block = blocks.get(index).and_then(|block| block.split("```").next());
        block.with_context(|| format!("the page has no block {index}"))
    };
    let place = ground.place("scaffold-used")?;
    fs::create_dir_all(place.root().join(".awf/workflows"))?;
    let binary = target.join("debug/awf-plugin-sample");
    let written = "PATH/TO/THIS/FOLDER/target/release/awf-plugin-sample";
    let declared = block(0)?.replace(written, &binary.to_string_lossy());
    fs::write(place.root().join(".awf/plugins.yaml"), declared)?;
    fs::write(place.root().join(".awf/workflows/greet.yaml"), block(1)?)?;
    for words in ["plugin lock", "plugin list --operations", "validate --strict", "run greet"] {
        let mut awf = place.command(ground.awf());
        awf.args(words.split(' '));
        let said = output_within(START, awf)?;
        let told = String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
        ensure!(said.status.success(), "`awf {words}`: {told}");
        ensure!(words != "run greet" || told.contains("Hello, Ada!"), "{told}");
    }
    Ok(())
}

fn speaks(target: &Path) -> Result<()> {
    let said = output_within(START, command(target.join("debug/awf-plugin-sample")))?;
    ensure!(said.status.code() == Some(1), "started by hand, it ended with {}", said.status);
    ensure!(said.stderr.starts_with(b"this program is a plugin for awf"), "it says nothing");
    Ok(())
}
