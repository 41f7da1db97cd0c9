//! What to look for and how: the matcher and the searchers, set up as ripgrep sets them up.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::{GrepArguments, OutputMode};
use crate::arguments::InvalidArguments;

/// The compiled program of a pattern; ripgrep allows three times as much.
const REGEX_BYTES: usize = 32 * 1024 * 1024;
/// What matching may keep in memory beside it, per thread.
const CACHE_BYTES: usize = 64 * 1024 * 1024;
/// The longest line, or in multi-line mode the largest file, that is searched.
const HEAP_BYTES: usize = 128 * 1024 * 1024;

/// What is the same for every file and every thread of a search.
pub(super) struct Engine {
    pub(super) matcher: RegexMatcher,
    pub(super) mode: OutputMode,
    pub(super) answer_bytes: usize,
    /// Larger files are not searched: in multi-line mode they are read whole.
    pub(super) most_bytes: u64,
    searchers: SearcherBuilder,
}

impl Engine {
    pub(super) fn new(arguments: &GrepArguments) -> Result<Self, InvalidArguments> {
        let line_numbers =
            arguments.output_mode == OutputMode::Content && arguments.line_numbers.unwrap_or(true);
        let (before, after) = arguments.context();
        let mut searchers = SearcherBuilder::new();
        searchers
            .line_number(line_numbers)
            .multi_line(arguments.multiline)
            .before_context(before)
            .after_context(after)
            .heap_limit(Some(HEAP_BYTES));
        Ok(Self {
            matcher: matcher(arguments)?,
            mode: arguments.output_mode,
            answer_bytes: arguments.answer_bytes(),
            most_bytes: if arguments.multiline { HEAP_BYTES as u64 } else { u64::MAX },
            searchers,
        })
    }

    /// A searcher for one thread.
    pub(super) fn searcher(&self, binary: BinaryDetection) -> Searcher {
        let mut searcher = self.searchers.build();
        searcher.set_binary_detection(binary);
        searcher
    }
}

fn matcher(arguments: &GrepArguments) -> Result<RegexMatcher, InvalidArguments> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .case_insensitive(arguments.ignore_case)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(CACHE_BYTES)
        .ban_byte(Some(0));
    if arguments.multiline {
        builder.dot_matches_new_line(true);
    } else {
        builder.line_terminator(Some(b'\n'));
    }
    builder.build(&arguments.pattern).map_err(|error| {
        let literal_newline = !arguments.multiline && error.to_string().contains("\"\\n\"");
        let hint = if literal_newline { "; set `multiline` to match across lines" } else { "" };
        InvalidArguments::new("pattern", format!("{error}{hint}"))
    })
}
