//! Grep: lines that match a regular expression, searched with ripgrep's own libraries and its rules.

use std::{path::PathBuf, sync::Arc};

use awf_core::{ToolFailure, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{
    answer::{MOST_BYTES, USUAL_BYTES},
    arguments::{InvalidArguments, Whole},
    blocking::{self, Stop},
    files::{Roots, open_regular},
    tool::{Effect, ToolCard},
    tree::{self, Scope},
};

mod engine;
mod hits;
mod report;
mod search;
mod selection;
mod sink;

use engine::Engine;
use hits::Hits;
use report::report;
use search::Search;

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Grep",
    title: "Search files",
    description: "Searches file contents for a regular expression with ripgrep's engine (Rust syntax: escape literal \
                  braces and parentheses). `output_mode` is `files_with_matches` (default: paths only), `content` \
                  (`path:line:text`, with context if asked) or `count` (`path:number`). Results are sorted by path. \
                  Files excluded by .gitignore, .ignore or .rgignore, hidden and binary files are left out, links are \
                  not followed. The answer is cut at 100 KB unless `head_limit` says otherwise, and says so.",
    effect: Effect::Reads,
};

type Lines = Whole<0, 10_000>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepArguments {
    /// The regular expression to search for.
    pattern: String,
    /// The file or directory to search: relative to the root directory, or absolute inside it (default: the root).
    #[serde(alias = "directory")]
    path: Option<String>,
    /// Only search files that match this glob, for example `*.js` or `src/**/*.{ts,tsx}`; a leading `!` excludes.
    glob: Option<String>,
    /// Only search files of this type, for example `rust`, `py`, `js`, `go`, `java`.
    r#type: Option<String>,
    /// What to return (default `files_with_matches`).
    #[serde(default)]
    output_mode: OutputMode,
    /// Ignore case.
    #[serde(rename = "-i", alias = "case_insensitive", default)]
    ignore_case: bool,
    /// Show line numbers in `content` mode (default true).
    #[serde(rename = "-n")]
    line_numbers: Option<bool>,
    /// Lines to show after each match in `content` mode.
    #[serde(rename = "-A")]
    after: Option<Lines>,
    /// Lines to show before each match in `content` mode.
    #[serde(rename = "-B")]
    before: Option<Lines>,
    /// Lines to show before and after each match in `content` mode; `-A` and `-B` go before it.
    #[serde(rename = "-C", alias = "context_lines")]
    context: Option<Lines>,
    /// Let matches span lines; `.` then matches newlines too.
    #[serde(default)]
    multiline: bool,
    /// Return only the first so many lines (`content`) or files; also raises the size limit to 2 MiB.
    head_limit: Option<Whole<1, 1_000_000>>,
}

/// What Grep returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutputMode {
    Content,
    #[default]
    FilesWithMatches,
    Count,
}

impl GrepArguments {
    fn answer_bytes(&self) -> usize {
        if self.head_limit.is_some() { MOST_BYTES } else { USUAL_BYTES }
    }

    /// Lines before and after a match.
    fn context(&self) -> (usize, usize) {
        let lines = |own: Option<Lines>| {
            own.or(self.context).map_or(0, |lines| usize::try_from(lines.get()).unwrap_or(0))
        };
        match self.output_mode {
            OutputMode::Content => (lines(self.before), lines(self.after)),
            OutputMode::FilesWithMatches | OutputMode::Count => (0, 0),
        }
    }
}

pub(crate) async fn run(
    roots: &Arc<Roots>,
    arguments: GrepArguments,
    cancel: &CancellationToken,
) -> Result<Result<ToolResult, InvalidArguments>, ToolFailure> {
    let roots = Arc::clone(roots);
    blocking::run(CARD.name, cancel, move |stop| grep(&roots, &arguments, stop)).await
}

fn grep(
    roots: &Roots,
    arguments: &GrepArguments,
    stop: &Stop,
) -> Result<ToolResult, InvalidArguments> {
    let engine = Engine::new(arguments)?;
    let hits = match Scope::of(roots, arguments.path.as_deref()) {
        Ok(Scope::Directory(place)) => {
            let walk = selection::walk(arguments, roots, &place)?;
            tree::visit(&walk, stop, || Search::new(&engine, roots, place.root, stop))
                .into_iter()
                .map(Search::into_hits)
                .reduce(Hits::merge)
                .unwrap_or_else(|| Hits::new(engine.answer_bytes))
        }
        Ok(Scope::File(place)) => {
            let typed = arguments.path.as_deref().unwrap_or_default();
            match open_regular(roots, typed) {
                Ok(file) => {
                    let path: PathBuf = place.names.iter().collect();
                    Search::new(&engine, roots, place.root, stop).only(&path, file).into_hits()
                }
                Err(error) => return Ok(ToolResult::error(&error.to_string())),
            }
        }
        Err(error) => return Ok(ToolResult::error(&error.to_string())),
    };
    Ok(ToolResult::text(&report(hits, arguments)))
}
