//! Glob: the files whose path matches a pattern, newest first.

use std::{cmp::Ordering, path::PathBuf, sync::Arc};

use awf_core::{ToolFailure, ToolResult};
use ignore::{
    DirEntry,
    overrides::{Override, OverrideBuilder},
};
use rustix::fs::Stat;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{
    answer::{USUAL_BYTES, counted, push_note},
    arguments::InvalidArguments,
    blocking::{self, Stop},
    files::{FileKind, Place, Root, Roots, stat_found},
    shortlist::{Entry, Shortlist},
    shown,
    tool::{Effect, ToolCard},
    tree::{self, Scope, Worker},
    trouble::Trouble,
};

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Glob",
    title: "Find files",
    description: "Lists the files whose path matches a glob pattern, most recently modified first, as paths that Read \
                  takes. `*` and `?` stay within one directory, `**` spans any number of them, `{a,b}` and `[abc]` \
                  are alternatives. A pattern without a slash matches file names at any depth (`*.rs`); one with a \
                  slash is relative to `path` (`src/**/*.rs`). A leading `!` inverts it. Files excluded by \
                  .gitignore, .ignore or .rgignore and hidden files are left out, links are not followed.",
    effect: Effect::Reads,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GlobArguments {
    /// The glob pattern, for example `**/*.rs` or `src/**/test_*.{ts,tsx}`.
    pattern: String,
    /// The directory to search: relative to the root directory, or absolute inside it (default: the root directory).
    #[serde(alias = "directory")]
    path: Option<String>,
}

pub(crate) async fn run(
    roots: &Arc<Roots>,
    arguments: GlobArguments,
    cancel: &CancellationToken,
) -> Result<Result<ToolResult, InvalidArguments>, ToolFailure> {
    let roots = Arc::clone(roots);
    blocking::run(CARD.name, cancel, move |stop| glob(&roots, &arguments, stop)).await
}

fn glob(
    roots: &Roots,
    arguments: &GlobArguments,
    stop: &Stop,
) -> Result<ToolResult, InvalidArguments> {
    let place = match Scope::of(roots, arguments.path.as_deref()) {
        Ok(Scope::Directory(place)) => place,
        Ok(Scope::File(_)) => {
            let hint = "is a file; give a directory, or read the file with Read";
            return Err(InvalidArguments::new("path", hint));
        }
        Err(error) => return Ok(ToolResult::error(&error.to_string())),
    };
    let directory = tree::directory(&place);
    let pattern = pattern(&arguments.pattern, roots, &place, &directory)?;
    let workers = tree::visit(&tree::walk(roots, &directory), stop, || Finder {
        root: place.root,
        pattern: &pattern,
        hits: Shortlist::new(USUAL_BYTES),
        trouble: Trouble::default(),
    });
    let mut hits = Shortlist::new(USUAL_BYTES);
    let mut trouble = Trouble::default();
    for worker in workers {
        hits.absorb(worker.hits);
        trouble.absorb(worker.trouble);
    }
    Ok(ToolResult::text(&report(roots, place.root, hits, &trouble)))
}

/// The pattern as ripgrep's `-g` reads it, relative to the directory searched.
fn pattern(
    typed: &str,
    roots: &Roots,
    place: &Place<'_>,
    directory: &std::path::Path,
) -> Result<Override, InvalidArguments> {
    let refuse = |problem: String| InvalidArguments::new("pattern", problem);
    if typed.is_empty() {
        return Err(refuse("is empty".into()));
    }
    if typed.trim_start_matches('!').split('/').any(|part| part == "..") {
        return Err(refuse("must not contain `..`; give the directory as `path`".into()));
    }
    // An absolute pattern inside the root is a pattern relative to it.
    let anchored = roots
        .home_of(std::path::Path::new(typed))
        .filter(|(root, _)| std::ptr::eq(*root, place.root))
        .map(|(root, rest)| (root.path(), format!("/{}", rest.display())));
    let (base, text) = anchored.as_ref().map_or((directory, typed), |(base, text)| (base, text));
    OverrideBuilder::new(base)
        .add(text)
        .and_then(|builder| builder.build())
        .map_err(|error| refuse(error.to_string()))
}

fn report(roots: &Roots, root: &Root, hits: Shortlist<Hit>, trouble: &Trouble) -> String {
    let total = hits.total();
    let mut text = String::with_capacity(4096);
    let mut listed = 0;
    for hit in hits.into_sorted() {
        let name = shown::name(roots.show(root, &hit.path).as_os_str());
        if text.len() + name.len() > USUAL_BYTES {
            break;
        }
        text.push_str(&name);
        text.push('\n');
        listed += 1;
    }
    if total == 0 {
        text.push_str("no files match");
    }
    if listed < total {
        let more = counted(total - listed, "more file");
        push_note(
            &mut text,
            format_args!("{more} not listed, all older; narrow the pattern or the path"),
        );
    }
    trouble.push_note(&mut text);
    text
}

/// A file that matches.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    modified: (i64, i64),
    path: PathBuf,
}

impl Hit {
    fn of(stat: &Stat, path: PathBuf) -> Self {
        let nanos = i64::try_from(stat.st_mtime_nsec).unwrap_or_default();
        Self { modified: (stat.st_mtime, nanos), path }
    }
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        other.modified.cmp(&self.modified).then_with(|| self.path.cmp(&other.path))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Entry for Hit {
    fn bytes(&self) -> usize {
        self.path.as_os_str().len() + 1
    }
}

struct Finder<'a> {
    root: &'a Root,
    pattern: &'a Override,
    hits: Shortlist<Hit>,
    trouble: Trouble,
}

impl Worker for Finder<'_> {
    fn enters(&mut self, directory: &DirEntry) -> bool {
        !self.pattern.matched(directory.path(), true).is_ignore()
    }

    fn file(&mut self, entry: &DirEntry) {
        if self.pattern.matched(entry.path(), false).is_ignore() {
            return;
        }
        let path = tree::beneath(self.root, entry.path());
        match stat_found(self.root, path) {
            Ok(stat) if FileKind::of(&stat) == FileKind::Regular => {
                self.hits.push(Hit::of(&stat, path.to_owned()));
            }
            Ok(_) => {}
            Err(errno) => self.trouble.with_file(path, errno),
        }
    }

    fn unreadable(&mut self, error: &ignore::Error) {
        self.trouble.in_walk(error);
    }
}
