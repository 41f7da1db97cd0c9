//! The answer of a search.

use super::{GrepArguments, OutputMode, hits::Hits};
use crate::answer::{counted, push_note};

/// The hits in order, and what was left out.
pub(super) fn report(hits: Hits, arguments: &GrepArguments) -> String {
    let files = hits.files.total();
    let matches = hits.matches;
    if matches == 0 {
        let mut text = "no matches".to_owned();
        hits.trouble.push_note(&mut text);
        return text;
    }
    let head = arguments.head_limit.map_or(u64::MAX, |limit| limit.get().into());
    let separate = arguments.context() != (0, 0);
    let mut answer =
        Answer { text: String::new(), lines: 0, head, bytes: arguments.answer_bytes() };
    let mut listed = 0;
    for file in hits.files.into_sorted() {
        let separator = if separate && listed > 0 { "--\n" } else { "" };
        if !(answer.push(separator) && answer.push(&file.text)) {
            break;
        }
        listed += 1;
    }
    if listed < files {
        let all = match arguments.output_mode {
            OutputMode::Content => {
                format!("{} in {}", counted(matches, "match"), counted(files, "file"))
            }
            OutputMode::FilesWithMatches | OutputMode::Count => counted(files, "file"),
        };
        let shown = counted(answer.lines, "line");
        let advice = "narrow the search or raise head_limit";
        push_note(&mut answer.text, format_args!("cut after {shown}, {all} in all; {advice}"));
    }
    hits.trouble.push_note(&mut answer.text);
    answer.text
}

struct Answer {
    text: String,
    lines: u64,
    head: u64,
    bytes: usize,
}

impl Answer {
    /// Adds as many lines as fit; whether that was all of them.
    fn push(&mut self, lines: &str) -> bool {
        for line in lines.split_inclusive('\n') {
            if self.lines >= self.head || self.text.len() + line.len() > self.bytes {
                return false;
            }
            self.text.push_str(line);
            self.lines += 1;
        }
        true
    }
}
