//! Grep and Glob against ripgrep and fd themselves, on a tree with everything that makes them differ from a plain walk.

mod cases;
mod fd;
mod ripgrep;
mod shown;
mod tools;
mod wood;

use std::{collections::BTreeSet, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{
    ground::{Ground, Place},
    report::Report,
};
use crate::{
    client::{Call, Client},
    command::command,
};
use cases::{GLOBS, Glob, greps};
use tools::Tools;

/// What the server may have open at once.
const DESCRIPTORS: u32 = 1024;

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let place = ground.place("search")?;
    let tools = Tools::find()?;
    let files = wood::grow(&place.root())?;
    println!("comparing with {} and {} on {files} files", tools.rg.version, tools.fd.version);
    let mut search = Search { client: Client::open(server(&place))?, tools, place };
    for (name, arguments) in greps() {
        report.check(&format!("Grep {name}"), || search.grep(&arguments));
    }
    report.check("Glob every file, folder by folder, as rg", || search.every_file());
    for glob in GLOBS {
        report.check(&format!("Glob {glob} as rg"), || search.glob_as_ripgrep(glob));
        if !glob.is_inverted() {
            report.check(&format!("Glob {glob} as fd"), || search.glob_as_fd(glob));
        }
    }
    search.client.close()
}

/// awf with few descriptors, which only a shell can grant.
fn server(place: &Place) -> Command {
    let mut shell = command("sh");
    shell.arg("-c").arg(format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\""));
    shell.args(place.server()).current_dir(place.root()).envs(place.environment());
    shell
}

struct Search {
    client: Client,
    tools: Tools,
    place: Place,
}

impl Search {
    fn grep(&mut self, arguments: &Value) -> Result<()> {
        let wanted = ripgrep::grep(&self.tools.rg, &self.place, arguments)?;
        // A limit on lines also raises the limit on bytes, so that nothing is cut.
        let mut arguments = arguments.clone();
        arguments["head_limit"] = json!(1_000_000);
        let found = self.ask("Grep", &arguments)?;
        same(&found, &wanted, "rg")
    }

    /// An answer holds some 2,000 names, so the tree is asked for in parts.
    fn every_file(&mut self) -> Result<()> {
        for path in wood::FOLDERS {
            let glob = Glob { pattern: "*", path };
            self.glob_as_ripgrep(glob).with_context(|| format!("in `{path}`"))?;
        }
        self.glob_as_ripgrep(Glob { pattern: "/*", path: "" })
    }

    fn glob_as_ripgrep(&mut self, glob: Glob) -> Result<()> {
        let wanted = ripgrep::files(&self.tools.rg, &self.place, glob)?;
        let found = self.glob(glob)?;
        same(&found, &self.newest_first(wanted)?, "rg")
    }

    fn glob_as_fd(&mut self, glob: Glob) -> Result<()> {
        let wanted = fd::files(&self.tools.fd, &self.place, glob)?;
        let found = self.glob(glob)?;
        // Only ripgrep reads `.rgignore`.
        let elsewhere = |line: &&str| !line.starts_with(wood::RIPGREP_ONLY);
        let found: String = found.split_inclusive('\n').filter(elsewhere).collect();
        let wanted = self.newest_first(wanted)?;
        let wanted: String = wanted.split_inclusive('\n').filter(elsewhere).collect();
        same(&found, &wanted, "fd")
    }

    fn glob(&mut self, glob: Glob) -> Result<String> {
        let path = if glob.path.is_empty() { "." } else { glob.path };
        let text = self.ask("Glob", &json!({"pattern": glob.pattern, "path": path}))?;
        Ok(if text == "no files match" { String::new() } else { text })
    }

    /// The names as Glob shows them.
    fn newest_first(&self, files: BTreeSet<PathBuf>) -> Result<String> {
        let root = self.place.root();
        let dated =
            files.into_iter().map(|path| Ok((root.join(&path).metadata()?.modified()?, path)));
        let mut dated = dated.collect::<Result<Vec<_>>>()?;
        dated.sort_by(|(a, _), (b, _)| b.cmp(a));
        Ok(dated.iter().map(|(_, path)| shown::name(path.as_os_str()) + "\n").collect())
    }

    fn ask(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let (_, reply) = self.client.call(&Call::new(tool, arguments, "\"result\""))?;
        let reply: Value = serde_json::from_slice(reply)?;
        let result = &reply["result"];
        let text = result["content"][0]["text"].as_str().context("a text as answer")?;
        ensure!(result["isError"] != Value::Bool(true), "{tool} failed: {text}");
        Ok(text.to_owned())
    }
}

/// Whether both say the same, line by line. That both find nothing proves nothing.
fn same(found: &str, wanted: &str, peer: &str) -> Result<()> {
    ensure!(!wanted.is_empty(), "{peer} finds nothing: the case is void");
    if found == wanted {
        return Ok(());
    }
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (found.lines().collect(), wanted.lines().collect());
    let sets: [BTreeSet<_>; 2] = [ours.iter().collect(), theirs.iter().collect()];
    let example = |lines: Vec<&&&str>| match lines.first() {
        Some(line) => {
            format!("{}, first {:?}", lines.len(), line.chars().take(200).collect::<String>())
        }
        None => "none".to_owned(),
    };
    bail!(
        "{} lines, {peer} has {}\n      only awf: {}\n      only {peer}: {}\n      order: first difference in line {}",
        ours.len(),
        theirs.len(),
        example(sets[0].difference(&sets[1]).collect()),
        example(sets[1].difference(&sets[0]).collect()),
        ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count() + 1,
    )
}

#[cfg(test)]
mod tests;
