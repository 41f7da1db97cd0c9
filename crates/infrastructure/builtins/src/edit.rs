//! Edit: exact text in a file replaced by other text, and every other byte kept.

use std::{io::Read as _, sync::Arc};

use awf_core::{ToolFailure, ToolResult};
use memchr::{memchr_iter, memmem};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    answer::counted,
    arguments::InvalidArguments,
    blocking,
    files::{FileError, OpenFile, Replacement, Target, Workspace},
    tool::{Effect, ToolCard},
};

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Edit",
    title: "Edit file",
    description: "Replaces an exact piece of text in a file. `old_string` must match the file byte for byte, \
                  without the line numbers Read shows, and must occur exactly once unless `replace_all` is true; \
                  otherwise nothing is changed and the answer says how often it was found. Line endings and \
                  everything else in the file stay as they are.",
    effect: Effect::Changes,
};

/// Larger files are not edited in memory.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditArguments {
    /// The file to edit: relative to the root directory, or absolute inside it.
    #[serde(alias = "path")]
    file_path: String,
    /// The text to replace, exactly as it stands in the file.
    #[serde(alias = "old")]
    old_string: String,
    /// The text to put in its place.
    #[serde(alias = "new")]
    new_string: String,
    /// Replace every occurrence instead of exactly one.
    #[serde(default)]
    replace_all: bool,
}

impl EditArguments {
    /// What the types cannot say.
    pub(crate) fn check(&self) -> Result<(), InvalidArguments> {
        if self.old_string.is_empty() {
            let hint = "is empty; name the text to replace, or use Write to create a file";
            return Err(InvalidArguments::new("old_string", hint));
        }
        if self.old_string == self.new_string {
            return Err(InvalidArguments::new("new_string", "equals `old_string`"));
        }
        Ok(())
    }
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
enum EditError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("`old_string` was not found in `{path}` (0 matches){hint}")]
    Absent { path: String, hint: &'static str },
    #[error(
        "`old_string` was found {count} times in `{path}` (lines {lines}); \
         add surrounding text to make it unique, or set `replace_all`"
    )]
    Ambiguous { path: String, count: usize, lines: String },
}

pub(crate) async fn run(
    workspace: &Arc<Workspace>,
    arguments: EditArguments,
) -> Result<ToolResult, ToolFailure> {
    let workspace = Arc::clone(workspace);
    blocking::run_to_end(CARD.name, move || match edit(&workspace, &arguments) {
        Ok(text) => ToolResult::text(&text),
        Err(error) => ToolResult::error(&error.to_string()),
    })
    .await
}

fn edit(workspace: &Workspace, arguments: &EditArguments) -> Result<String, EditError> {
    let target = workspace.target(&arguments.file_path)?;
    let _turn = workspace.turn(&target);
    let open = target.open()?;
    target.previous()?;
    let stat = open.stat;
    let old = read_whole(&target, open)?;
    let starts = matches(&old, &target, arguments)?;
    let new = substitute(&old, &starts, arguments);
    target.replace(&new, Replacement::Of(&stat))?;
    let count = counted(starts.len() as u64, "replacement");
    Ok(format!("edited `{}`: {count} (lines {})", target.shown(), line_list(&old, &starts)))
}

fn read_whole(target: &Target, mut open: OpenFile) -> Result<Vec<u8>, FileError> {
    let path = target.shown();
    let size = open.size();
    if size > MOST_BYTES {
        return Err(FileError::TooLarge { path: path.to_owned(), size, limit: MOST_BYTES });
    }
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    open.file.read_to_end(&mut content).map_err(FileError::io(path, "read"))?;
    Ok(content)
}

/// Where the text to replace starts: at one place, or wherever it is if all are wanted.
fn matches(
    content: &[u8],
    target: &Target,
    arguments: &EditArguments,
) -> Result<Vec<usize>, EditError> {
    let finder = memmem::Finder::new(&arguments.old_string);
    let path = || target.shown().to_owned();
    let starts: Vec<usize> = finder.find_iter(content).collect();
    let Some(first) = starts.first() else {
        let hint = hint(content, arguments.old_string.as_bytes());
        return Err(EditError::Absent { path: path(), hint });
    };
    if arguments.replace_all {
        return Ok(starts);
    }
    // `aa` stands at two places in `aaa`, though only one of them could be replaced.
    let overlapping = content.get(first + 1..).and_then(|rest| finder.find(rest));
    match (starts.len(), overlapping) {
        (1, None) => Ok(starts),
        (1, Some(second)) => {
            let lines = line_list(content, &[*first, first + 1 + second]);
            Err(EditError::Ambiguous { path: path(), count: 2, lines })
        }
        (count, _) => {
            let lines = line_list(content, &starts);
            Err(EditError::Ambiguous { path: path(), count, lines })
        }
    }
}

/// What most likely went wrong when nothing was found.
fn hint(content: &[u8], old: &[u8]) -> &'static str {
    let as_crlf = || replace_bytes(old, b"\n", b"\r\n");
    let as_lf = || replace_bytes(old, b"\r\n", b"\n");
    if !old.contains(&b'\r') && memmem::find(content, &as_crlf()).is_some() {
        "; it would match with CRLF line endings: this file uses \\r\\n, so `old_string` and `new_string` must too"
    } else if memmem::find(content, &as_lf()).is_some() {
        "; it would match with LF line endings: this file uses \\n, not \\r\\n"
    } else if memmem::find(content, old.trim_ascii()).is_some() && !old.trim_ascii().is_empty() {
        "; it would match without the white space around it"
    } else {
        "; it must match exactly, white space included and without line numbers"
    }
}

fn replace_bytes(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len() * 2);
    let mut at = 0;
    for start in memmem::find_iter(text, from) {
        replaced.extend_from_slice(text.get(at..start).unwrap_or_default());
        replaced.extend_from_slice(to);
        at = start + from.len();
    }
    replaced.extend_from_slice(text.get(at..).unwrap_or_default());
    replaced
}

fn substitute(old: &[u8], starts: &[usize], arguments: &EditArguments) -> Vec<u8> {
    let mut new = Vec::with_capacity(old.len() + starts.len() * arguments.new_string.len());
    let mut at = 0;
    for start in starts {
        new.extend_from_slice(old.get(at..*start).unwrap_or_default());
        new.extend_from_slice(arguments.new_string.as_bytes());
        at = start + arguments.old_string.len();
    }
    new.extend_from_slice(old.get(at..).unwrap_or_default());
    new
}

/// The line numbers of the first few places.
fn line_list(content: &[u8], starts: &[usize]) -> String {
    const SHOWN: usize = 10;
    let mut line = 1;
    let mut at = 0;
    let mut numbers = Vec::new();
    for start in starts.iter().take(SHOWN) {
        line += memchr_iter(b'\n', content.get(at..*start).unwrap_or_default()).count();
        at = *start;
        numbers.push(line.to_string());
    }
    let more = if starts.len() > SHOWN { ", …" } else { "" };
    numbers.join(", ") + more
}
