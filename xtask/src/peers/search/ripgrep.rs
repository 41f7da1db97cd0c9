//! What ripgrep finds, in awf's words.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use memchr::{memchr, memmem};
use serde_json::Value;

use super::{cases::Glob, shown, tools::Tool};
use crate::{command::output_within, peers::ground::Place};

const PATIENCE: Duration = Duration::from_mins(1);

/// Said after the matches before the first NUL byte of a file.
const STOPPED: &[u8] = b": WARNING: stopped searching binary file after match";

/// The files whose path matches, relative to the root. `-g` also brings back what is ignored, which Glob does not; so
/// it only narrows what is found without it.
pub(crate) fn files(rg: &Tool, place: &Place, glob: Glob) -> Result<BTreeSet<PathBuf>> {
    let list = |narrow: &[&str]| -> Result<BTreeSet<PathBuf>> {
        let mut command = place.command(&rg.program);
        command.args(["--no-config", "--files", "--null"]).args(narrow);
        command.current_dir(place.root().join(glob.path));
        Ok(paths(&run(command)?, Path::new(glob.path)).collect())
    };
    Ok(&list(&[])? & &list(&["-g", glob.pattern])?)
}

/// Names in `folder` that end in a NUL byte each.
pub(crate) fn paths(listed: &[u8], folder: &Path) -> impl Iterator<Item = PathBuf> {
    listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(|name| path(name, folder))
}

fn path(name: &[u8], folder: &Path) -> PathBuf {
    folder.join(OsStr::from_bytes(name.strip_prefix(b"./").unwrap_or(name)))
}

/// The answer Grep should give to these arguments.
pub(crate) fn grep(rg: &Tool, place: &Place, arguments: &Value) -> Result<String> {
    let typed = arguments["path"].as_str().unwrap_or_default();
    // Given a folder, ripgrep before version 15 reads anchored rules of the folders above it wrongly; so it is started
    // there instead.
    let (folder, target) =
        if place.root().join(typed).is_dir() { (typed, "./") } else { ("", typed) };
    let mut command = place.command(&rg.program);
    command.args(["--no-config", "--color=never", "--no-heading", "--with-filename", "--null"]);
    command.args(flags(arguments)?).arg("--").arg(target);
    command.current_dir(place.root().join(folder));
    let (said, folder) = (run(command)?, Path::new(folder));
    match arguments["output_mode"].as_str() {
        Some("content") => content(&said, folder),
        Some("count") => counts(&said, folder),
        _ => {
            let sorted: BTreeSet<_> = paths(&said, folder).collect();
            Ok(sorted.iter().map(|path| shown::name(path.as_os_str()) + "\n").collect())
        }
    }
}

/// Grep's arguments, but for the path, as ripgrep's.
pub(crate) fn flags(arguments: &Value) -> Result<Vec<String>> {
    let mut flags = Vec::new();
    let mut mode = "--files-with-matches";
    for (name, value) in arguments.as_object().context("arguments")? {
        let text = value.as_str().unwrap_or_default();
        match name.as_str() {
            "pattern" => flags.push(format!("--regexp={text}")),
            "path" => {}
            "glob" => flags.push(format!("--glob={text}")),
            "type" => flags.push(format!("--type={text}")),
            "-i" => flags.push("--ignore-case".to_owned()),
            "multiline" => flags.extend(["--multiline", "--multiline-dotall"].map(str::to_owned)),
            "-A" => flags.push(format!("--after-context={value}")),
            "-B" => flags.push(format!("--before-context={value}")),
            "-C" => flags.push(format!("--context={value}")),
            "output_mode" if text == "content" => mode = "--line-number",
            "output_mode" if text == "count" => mode = "--count",
            other => bail!("rg has no `{other}` here"),
        }
    }
    flags.push(mode.to_owned());
    Ok(flags)
}

/// Lines `path NUL number:text` (`-` for context), with `--` where lines were left out.
pub(crate) fn content(said: &[u8], folder: &Path) -> Result<String> {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let (mut latest, mut gap, mut separate) = (PathBuf::new(), false, false);
    for line in said.strip_suffix(b"\n").unwrap_or(said).split(|byte| *byte == b'\n') {
        if line == b"--" {
            (gap, separate) = (true, true);
            continue;
        }
        let (name, words) = shown_line(line, folder)?;
        let text = files.entry(name.clone()).or_default();
        if gap && latest == name {
            text.push_str("--\n");
        }
        text.push_str(&words);
        (latest, gap) = (name, false);
    }
    let texts: Vec<String> = files.into_values().collect();
    Ok(texts.join(if separate { "--\n" } else { "" }))
}

fn shown_line(line: &[u8], folder: &Path) -> Result<(PathBuf, String)> {
    if let Some(at) = memmem::find(line, STOPPED) {
        let (name, warning) = line.split_at(at);
        // `… (found "\0" byte around offset 123)`
        let warning = String::from_utf8_lossy(warning);
        let offset = warning.trim_end_matches(')').rsplit(' ').next().unwrap_or_default();
        let name = path(name, folder);
        let words = "search stopped at binary data, NUL byte near offset";
        let words = format!("{}: [{words} {offset}]\n", shown::name(name.as_os_str()));
        return Ok((name, words));
    }
    let (name, rest) = split_at_nul(line, folder)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = rest.split_at(digits);
    let (mark, text) = rest.split_first().context("a mark after the line's number")?;
    let (number, mark) = (String::from_utf8_lossy(number), char::from(*mark));
    let shown = shown::name(name.as_os_str());
    Ok((name, format!("{shown}{mark}{number}{mark}{}\n", shown::line(text))))
}

/// Lines `path NUL count`.
fn counts(said: &[u8], folder: &Path) -> Result<String> {
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    for line in said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let (name, count) = split_at_nul(line, folder)?;
        let shown = shown::name(name.as_os_str());
        files.insert(name, format!("{shown}:{}\n", String::from_utf8_lossy(count)));
    }
    Ok(files.into_values().collect())
}

fn split_at_nul<'a>(line: &'a [u8], folder: &Path) -> Result<(PathBuf, &'a [u8])> {
    let end =
        memchr(0, line).with_context(|| format!("rg said {:?}", String::from_utf8_lossy(line)))?;
    Ok((path(&line[..end], folder), &line[end + 1..]))
}

/// Exit code 1 means that nothing was found; 2 that something could not be read.
fn run(command: Command) -> Result<Vec<u8>> {
    let output = output_within(PATIENCE, command)?;
    let talk = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "rg ended with {}: {talk}", output.status);
    Ok(output.stdout)
}

#[cfg(test)]
mod tests;
