//! `cargo xtask mutants`: for each requirement one damage to the code, and the test that must turn red from it.
//!
//! All damages of `data/mutants.toml` are built into one copy of the workspace, each behind a question to the
//! environment, so that one build serves them all: `AWF_MUTANT=<id>` switches one on.

mod graft;
mod table;
mod trial;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{command::command, tree};

use table::Mutant;
use trial::{Binaries, Colour};

/// Builds the mutants with these ids, or all if there are none, and tries each.
pub(crate) fn run(ids: &[&str]) -> Result<()> {
    let mutants = table::read(&tree::root())?;
    if let Some(unknown) = ids.iter().find(|id| mutants.iter().all(|mutant| mutant.id != **id)) {
        bail!("no mutant `{unknown}` in {}", table::FILE);
    }
    let ground = tree::root().join("target/mutants-018");
    let copy = ground.join("tree");
    copy_tree(&tree::root(), &copy)?;
    plant(&copy, &mutants)?;
    let binaries = Binaries::build(&copy, &ground.join("build"), &mutants)?;
    let chosen =
        mutants.iter().filter(|mutant| ids.is_empty() || ids.contains(&mutant.id.as_str()));
    let survivors = try_all(&binaries, &chosen.collect::<Vec<_>>())?;
    ensure!(survivors.is_empty(), "no test notices: {}", survivors.join(", "));
    Ok(())
}

/// Each test once as the code is, which must be green, and once for each of its mutants. Gives those that no test noticed.
fn try_all(binaries: &Binaries, mutants: &[&Mutant]) -> Result<Vec<String>> {
    let mut healthy = BTreeMap::new();
    let mut survivors = Vec::new();
    for mutant in mutants {
        let test = mutant.test.as_str();
        if !healthy.contains_key(test) {
            healthy.insert(test, binaries.run(test, None)?);
        }
        ensure!(healthy[test] == Colour::Green, "{test} is red without any mutant");
        let colour = binaries.run(test, Some(&mutant.id))?;
        println!("{colour:<6} {:<12} {} ({test})", mutant.id, mutant.damage);
        if colour == Colour::Green {
            survivors.push(mutant.id.clone());
        }
    }
    println!("{} mutants, {} unnoticed", mutants.len(), survivors.len());
    Ok(survivors)
}

/// Every tracked file, written only where it differs, so that a second build is short.
fn copy_tree(root: &Path, copy: &Path) -> Result<()> {
    let mut list = command("git");
    list.args(["ls-files", "-z"]);
    let listed = list.output().context("list the tracked files")?;
    ensure!(listed.status.success(), "`git ls-files` failed");
    for name in String::from_utf8(listed.stdout)?.split('\0').filter(|name| !name.is_empty()) {
        // A tracked file that is not there was deleted and not yet committed.
        let Ok(bytes) = fs::read(root.join(name)) else { continue };
        write_changed(&copy.join(name), &bytes)?;
        fs::set_permissions(copy.join(name), fs::metadata(root.join(name))?.permissions())?;
    }
    Ok(())
}

/// Puts all mutants into the copy.
fn plant(copy: &Path, mutants: &[Mutant]) -> Result<()> {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    for (file, mutants) in files {
        let path = copy.join(file);
        let text = fs::read_to_string(tree::root().join(file))
            .with_context(|| format!("read {file}, named in {}", table::FILE))?;
        let grafted = graft::graft(&text, &mutants).with_context(|| file.to_owned())?;
        write_changed(&path, grafted.as_bytes())?;
    }
    Ok(())
}

fn write_changed(path: &PathBuf, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|held| held == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, bytes).with_context(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests;
