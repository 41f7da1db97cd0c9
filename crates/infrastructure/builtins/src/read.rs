//! Read: numbered lines of one file, page by page.

use std::{
    io::{self, Read, Seek},
    sync::Arc,
};

use awf_core::{ToolFailure, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{
    answer::{MOST_BYTES, USUAL_BYTES, from_files},
    arguments::Whole,
    blocking::{self, Stop},
    files::{FileError, OpenFile, Roots, open_regular},
    shown,
    tool::{Effect, ToolCard},
};

mod page;
mod scan;

use page::Request;
use scan::Seen;

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Read",
    title: "Read file",
    description: "Reads a text file and returns its lines, each as `<line number><tab><text>`. \
                  Without `limit` the first 2000 lines (at most 100 KB) are returned; the end of the answer says \
                  whether more follow and which `offset` continues. Lines over 2000 characters are cut. Binary files, \
                  directories and special files are reported, not read. Paths are relative to the root directory, or \
                  absolute inside it.",
    effect: Effect::Reads,
};

/// Lines in an answer when the caller does not say.
const USUAL_LINES: u32 = 2000;

/// Files up to this size are read on the async thread: that takes less time than a hand-over to another thread.
const INLINE_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArguments {
    /// The file to read: relative to the root directory, or absolute inside it.
    #[serde(alias = "path")]
    file_path: String,
    /// The line to start at; the first line is 1.
    offset: Option<Whole<1, 2_147_483_647>>,
    /// How many lines to return (default 2000). A value above 2000 also raises the size limit from 100 KB to 2 MiB.
    limit: Option<Whole<1, 2_147_483_647>>,
}

pub(crate) async fn run(
    roots: &Arc<Roots>,
    arguments: ReadArguments,
    cancel: &CancellationToken,
) -> Result<ToolResult, ToolFailure> {
    match open_regular(roots, &arguments.file_path) {
        Ok(open) => answer(open, arguments, cancel).await,
        Err(error) => Ok(from_files(Err(error))),
    }
}

/// A size is what the file system says; procfs and FUSE say 0 of files that never end. Only what was read is known.
async fn answer(
    mut open: OpenFile,
    arguments: ReadArguments,
    cancel: &CancellationToken,
) -> Result<ToolResult, ToolFailure> {
    let size = open.size();
    if (1..=INLINE_BYTES).contains(&size) {
        let mut bounded = (&open.file).take(INLINE_BYTES + 1);
        let result = read(&mut bounded, size, &arguments, &Stop::default());
        if bounded.limit() > 0 {
            return Ok(result);
        }
        if let Err(error) = open.file.rewind() {
            return Ok(unread(&arguments, error));
        }
    }
    let work = move |stop: &Stop| read(&mut open.file, size, &arguments, stop);
    blocking::run(CARD.name, cancel, work).await
}

fn read(file: &mut impl Read, size: u64, arguments: &ReadArguments, stop: &Stop) -> ToolResult {
    let lines = arguments.limit.map_or(USUAL_LINES, Whole::get);
    let request = Request {
        first: arguments.offset.map_or(1, Whole::get).into(),
        lines: lines.into(),
        bytes: if lines > USUAL_LINES { MOST_BYTES } else { USUAL_BYTES },
    };
    match scan::read(file, size, &request, stop) {
        Ok(Seen::Text(page)) => ToolResult::text(&page.finish(&request)),
        Ok(Seen::Empty) => ToolResult::text("[the file is empty]"),
        Ok(Seen::Unreadable(what)) => ToolResult::error(&format!(
            "`{}` is {what}, {size} bytes; Read shows UTF-8 text only",
            shown::typed(&arguments.file_path)
        )),
        Err(error) => unread(arguments, error),
    }
}

fn unread(arguments: &ReadArguments, source: io::Error) -> ToolResult {
    let path = shown::typed(&arguments.file_path);
    from_files(Err(FileError::Io { path, attempt: "read", source }))
}

#[cfg(test)]
mod tests;
