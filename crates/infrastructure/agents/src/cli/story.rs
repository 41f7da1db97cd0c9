//! What a program's stream has told so far, and what it amounts to in the end.

use std::collections::VecDeque;

use awf_core::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, ModelAnswer, OwnToolEnd, OwnToolUse, RawJson,
    Usage,
};
use awf_process::Exit;
use serde_json::Value;

use crate::cli::ledger::Before;

/// The longest answer that is kept.
const LONGEST_TEXT: usize = 16 << 20;
/// How many uses of tools are waited for at once.
const MOST_USES: usize = 256;
/// The longest arguments that are told of.
const LONGEST_ARGUMENTS: usize = 1 << 20;
/// How much of an answer is told with its calls.
const LONGEST_HEAD: usize = 16 << 10;
/// How much of a program's complaints goes into a message.
const LONGEST_COMPLAINT: usize = 2048;

/// A stream, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Story {
    text: String,
    pub(crate) session: Option<String>,
    model: Option<String>,
    /// What this run used, as far as the program counts that.
    pub(crate) usage: Usage,
    /// What its session used from its beginning, where the program counts that.
    pub(crate) total: Option<Usage>,
    verdict: Verdict,
    /// Uses of the agent's own tools that have no result yet.
    uses: VecDeque<Use>,
    /// Whether what is told stopped in the middle of a line.
    line: Line,
    /// Whether text that follows is a new answer.
    part: Part,
    /// The answer of the model that is being given.
    answer: Answer,
    /// What has not been told yet.
    news: Vec<AgentNews>,
    /// The last line that was no event: some complain on standard output.
    junk: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Line {
    #[default]
    Ended,
    Begun,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    #[default]
    Open,
    Ended,
}

/// One answer of the model: what it says, then the calls it asks for, then what they came to.
#[derive(Debug, Default)]
struct Answer {
    /// The beginning of what it said.
    said: String,
    /// What it took, where that is told.
    usage: Option<Usage>,
    told: bool,
    /// Calls that have no result yet.
    calls: Vec<String>,
}

/// What the stream said of its end.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
enum Verdict {
    /// Nothing yet.
    #[default]
    Open,
    /// Something went wrong that it may overcome.
    Troubled(String),
    Answered,
    Failed(String),
}

/// What is known beside the stream when a program has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    pub(crate) exit: Exit,
    /// What its session had used before.
    pub(crate) before: Before,
    /// The end of its complaints.
    pub(crate) complaints: &'a str,
}

#[derive(Debug)]
struct Use {
    id: String,
    tool: String,
    arguments: RawJson,
}

impl Story {
    /// A piece of text, told at once.
    pub(crate) fn say(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.line = if piece.ends_with('\n') { Line::Ended } else { Line::Begun };
            let room = LONGEST_HEAD.saturating_sub(self.answer.said.len());
            self.answer.said.push_str(piece.get(..piece.floor_char_boundary(room)).unwrap_or(""));
            self.news.push(AgentNews::Text(piece.to_owned()));
        }
    }

    /// A line of text, told at once.
    pub(crate) fn say_line(&mut self, line: &str) {
        let end = if line.ends_with('\n') { "" } else { "\n" };
        self.say(&format!("{line}{end}"));
    }

    /// Ends the line that pieces of text have begun.
    pub(crate) fn end_line(&mut self) {
        match self.line {
            Line::Begun => self.say("\n"),
            Line::Ended => {}
        }
    }

    /// What was said until now is not the answer, unless nothing follows: the agent goes to work.
    pub(crate) fn end_part(&mut self) {
        self.part = Part::Ended;
    }

    /// Adds to the answer.
    pub(crate) fn add_text(&mut self, piece: &str) {
        match std::mem::replace(&mut self.part, Part::Open) {
            Part::Ended => self.text.clear(),
            Part::Open => {}
        }
        if self.text.len().saturating_add(piece.len()) > LONGEST_TEXT {
            self.fail(&format!("its answer is longer than {} MiB", LONGEST_TEXT >> 20));
        } else {
            self.text.push_str(piece);
        }
    }

    /// The answer, whatever was taken for it before.
    pub(crate) fn set_text(&mut self, text: &str) {
        self.text.clear();
        self.add_text(text);
    }

    pub(crate) fn knows_model(&self) -> bool {
        self.model.is_some()
    }

    /// Whether the use has begun and not ended.
    pub(crate) fn is_using(&self, id: &str) -> bool {
        self.uses.iter().any(|begun| begun.id == id)
    }

    pub(crate) fn complain(&mut self, text: &str) {
        self.news.push(AgentNews::Complaint(brief(text)));
    }

    pub(crate) fn session(&mut self, event: &Value, key: &str) {
        if let Some(session) = event[key].as_str() {
            self.session = Some(brief(session));
        }
    }

    pub(crate) fn model(&mut self, model: &Value) {
        if let Some(model) = model.as_str() {
            self.model = Some(brief(model));
        }
    }

    /// It has answered, unless it failed before or fails later.
    pub(crate) fn answer(&mut self) {
        match self.verdict {
            Verdict::Open | Verdict::Troubled(_) => self.verdict = Verdict::Answered,
            Verdict::Answered | Verdict::Failed(_) => {}
        }
    }

    /// Something went wrong: told at once, and the reason of a failure unless an answer follows.
    pub(crate) fn trouble(&mut self, reason: &str) {
        self.complain(reason);
        if !matches!(self.verdict, Verdict::Failed(_)) {
            self.verdict = Verdict::Troubled(brief(reason));
        }
    }

    /// It goes on: what was an answer is none.
    pub(crate) fn go_on(&mut self) {
        if self.verdict == Verdict::Answered {
            self.verdict = Verdict::Open;
        }
    }

    /// It failed. The last reason counts: an earlier one may be an attempt that was repeated.
    pub(crate) fn fail(&mut self, reason: &str) {
        self.verdict = Verdict::Failed(brief(reason));
    }

    /// The model is asked: what follows is a new answer.
    pub(crate) fn ask(&mut self) {
        self.answer = Answer::default();
        self.news.push(AgentNews::Asked);
    }

    /// What the answer took, as the program counts.
    pub(crate) fn answer_used(&mut self, usage: Usage) {
        self.answer.usage = Some(usage);
    }

    /// The model asks for a call, of whatever tool: its answer is given.
    pub(crate) fn asks_for_call(&mut self, id: &str) {
        let calls = &mut self.answer.calls;
        if calls.len() < MOST_USES && calls.iter().all(|known| known != id) {
            calls.push(id.to_owned());
        }
        self.tell_answer();
    }

    /// A call has its result. With the last one the model is asked again.
    pub(crate) fn has_result(&mut self, id: &str) {
        self.answer.calls.retain(|known| known != id);
        if self.answer.told && self.answer.calls.is_empty() {
            self.ask();
        }
    }

    /// The model's answer is given, unless that was told.
    pub(crate) fn tell_answer(&mut self) {
        if !self.answer.told {
            self.answer.told = true;
            let (text, usage) = (std::mem::take(&mut self.answer.said), self.answer.usage);
            self.news.push(AgentNews::Answered(ModelAnswer { text, usage }));
        }
    }

    /// The same where something was said. What follows is a new answer.
    pub(crate) fn end_answer(&mut self) {
        if !self.answer.said.trim().is_empty() {
            self.tell_answer();
        }
        self.answer = Answer::default();
    }

    /// It uses a tool of its own.
    pub(crate) fn begin_use(&mut self, id: &str, tool: &str, arguments: &Value) {
        if self.uses.len() >= MOST_USES
            && let Some(oldest) = self.uses.pop_front()
        {
            self.tell_use(oldest, OwnToolEnd::Ran);
        }
        let text = arguments.to_string();
        let kept = if text.len() > LONGEST_ARGUMENTS { "{}".to_owned() } else { text };
        let arguments = RawJson::parse(kept).unwrap_or_else(|_| RawJson::empty_object());
        self.uses.push_back(Use { id: id.to_owned(), tool: brief(tool), arguments });
    }

    /// What came of the use; nothing happens for a tool that is not the agent's own.
    pub(crate) fn end_use(&mut self, id: &str, end: OwnToolEnd) {
        if let Some(at) = self.uses.iter().position(|begun| begun.id == id)
            && let Some(begun) = self.uses.remove(at)
        {
            self.tell_use(begun, end);
        }
    }

    fn tell_use(&mut self, begun: Use, end: OwnToolEnd) {
        let Use { tool, arguments, .. } = begun;
        let end = match end {
            OwnToolEnd::Ran => OwnToolEnd::Ran,
            OwnToolEnd::Unavailable(text) => OwnToolEnd::Unavailable(brief(&text)),
        };
        self.news.push(AgentNews::OwnTool(OwnToolUse { tool, arguments, end }));
    }

    /// A line that is no event.
    pub(crate) fn junk(&mut self, line: &str) {
        line.trim().clone_into(&mut self.junk);
        let cut = self.junk.floor_char_boundary(LONGEST_COMPLAINT);
        self.junk.truncate(cut);
    }

    /// The stream is over: uses without a result may have had one.
    pub(crate) fn close(&mut self) {
        self.end_answer();
        while let Some(begun) = self.uses.pop_front() {
            self.tell_use(begun, OwnToolEnd::Ran);
        }
    }

    pub(crate) fn take_news(&mut self) -> Vec<AgentNews> {
        std::mem::take(&mut self.news)
    }

    /// What the program answered. It is a failure if its stream says so, if it says nothing, or if its exit code does.
    pub(crate) fn conclude(
        self,
        kind: AgentKind,
        ending: &Ending<'_>,
    ) -> Result<AgentOutcome, AgentFailure> {
        let Self { text, session, model, usage, total, verdict, junk, .. } = self;
        let Ending { exit, before, complaints } = *ending;
        let usage = before.used(usage, total);
        let (ended, code) = match exit {
            Exit::Code(0) => (None, None),
            Exit::Code(code) => (Some(format!("ended with exit code {code}")), Some(code)),
            Exit::Signal(signal) => {
                (Some(format!("was ended by signal {signal}")), Some(128 + signal))
            }
        };
        let told = match (verdict, &ended) {
            (Verdict::Answered, None) => return Ok(AgentOutcome { text, session, usage, model }),
            (Verdict::Failed(reason) | Verdict::Troubled(reason), None) => {
                format!("failed: {reason}")
            }
            (Verdict::Failed(reason) | Verdict::Troubled(reason), Some(ended)) => {
                format!("{ended}: {reason}")
            }
            (Verdict::Open, None) => with(last_words(complaints, &junk), "ended without an answer"),
            (Verdict::Open | Verdict::Answered, Some(ended)) => {
                with(last_words(complaints, &junk), ended)
            }
        };
        let message = format!("`{}` {told}", kind.as_str());
        Err(AgentFailure::Failed { message, exit_code: code, usage })
    }
}

/// As much of a text as anybody reads: an event may be of any length.
fn brief(text: &str) -> String {
    text.get(..text.floor_char_boundary(LONGEST_COMPLAINT)).unwrap_or_default().to_owned()
}

fn with(words: Option<String>, ended: &str) -> String {
    words.map_or_else(|| ended.to_owned(), |words| format!("{ended}: {words}"))
}

/// The end of its complaints, or the last line of its output that was none.
fn last_words(complaints: &str, junk: &str) -> Option<String> {
    let complaints = complaints.trim();
    let words = if complaints.is_empty() { junk } else { complaints };
    let from = words.ceil_char_boundary(words.len().saturating_sub(LONGEST_COMPLAINT));
    let words = words.get(from..).unwrap_or_default();
    (!words.is_empty()).then(|| words.to_owned())
}

#[cfg(test)]
mod tests;
