//! Grep and Glob against ripgrep itself on a tree of 20,000 files.

use std::{path::Path, process::Stdio, time::Instant};

use anyhow::{Context, Result, bail};
use memchr::memmem;
use serde_json::json;

use super::{
    corpus::{self, GLOB, NEEDLE},
    figure::{Figure, Outcome},
    rounds::side_by_side,
    setting::Setting,
};
use crate::{
    client::{Call, Client, microseconds},
    command::command,
};

const FILES: usize = 20_000;
const REGEX: &str = "handler (socket|cache) queue [a-z]+or ";

struct Search {
    name: &'static str,
    rg: Vec<String>,
    call: Call,
    /// Stands once for each hit in what both print.
    mark: &'static str,
}

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let tree = setting.root().join("tree");
    let searches = searches(&tree);
    if command("rg").arg("--version").stdout(Stdio::null()).status().is_err() {
        let why = || Outcome::NotMeasured("ripgrep's `rg` is not on PATH".to_owned());
        return Ok(searches
            .iter()
            .map(|search| Figure { name: search.name, result: why() })
            .collect());
    }
    corpus::grow(&tree, FILES)?;
    searches.iter().map(|search| figure(setting, search)).collect()
}

fn searches(tree: &Path) -> [Search; 3] {
    let path = tree.to_string_lossy().into_owned();
    let grep = |name, pattern: &str, mark| Search {
        name,
        rg: ["--line-number", "--no-heading", pattern, &path].map(str::to_owned).to_vec(),
        call: Call::new(
            "Grep",
            &json!({"pattern": pattern, "path": path, "output_mode": "content"}),
            mark,
        ),
        mark,
    };
    let glob = Search {
        name: "Glob of few files",
        rg: ["--files", "--sortr", "modified", "--glob", GLOB, &path].map(str::to_owned).to_vec(),
        call: Call::new("Glob", &json!({"pattern": GLOB, "path": path}), "handler_"),
        mark: "handler_",
    };
    [
        grep("Grep of a rare word", NEEDLE, NEEDLE),
        grep("Grep of a pattern", REGEX, "handler "),
        glob,
    ]
}

/// Both sides must find the same number of hits, or the faster one only looked less.
fn figure(setting: &Setting, search: &Search) -> Result<Figure> {
    let mut client = Client::open(setting.awf())?;
    let (_, reply) = client.call(&search.call)?;
    let (found, wanted) = (hits(reply, search.mark), hits(&ripgrep(search)?.1, search.mark));
    if found != wanted {
        bail!("{}: awf found {found}, rg {wanted}", search.name);
    }
    let sides = side_by_side(
        setting.scale.searches,
        || Ok(ripgrep(search)?.0),
        || Ok(microseconds(client.call(&search.call)?.0)),
    )?;
    client.close()?;
    Ok(Figure::ratio(search.name, sides, 1.05))
}

fn ripgrep(search: &Search) -> Result<(f64, Vec<u8>)> {
    let start = Instant::now();
    let output = command("rg").args(&search.rg).stdin(Stdio::null()).output().context("run rg")?;
    Ok((microseconds(start.elapsed()), output.stdout))
}

fn hits(text: &[u8], mark: &str) -> usize {
    memmem::find_iter(text, mark.as_bytes()).count()
}
