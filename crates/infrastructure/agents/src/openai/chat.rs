//! Turn by turn: the model is asked, its calls are made, it is told what came of them, until it has no more.

use awf_core::{AgentFailure, AgentOutcome, Usage};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::openai::{
    answer,
    client::Wire,
    delta::Answer,
    guard::LoopGuard,
    history::History,
    options::Options,
    request::{Body, StreamOptions},
    retry::backoff,
    tools::Tools,
    trouble::{Remedy, Trouble},
    voice::Voice,
};

/// One conversation.
pub(super) struct Chat<'a> {
    pub(super) wire: &'a Wire,
    pub(super) model: &'a str,
    pub(super) options: &'a Options,
    pub(super) tools: &'a Tools,
    pub(super) voice: Voice<'a>,
    pub(super) cancel: &'a CancellationToken,
    pub(super) history: History,
    pub(super) usage: Usage,
    pub(super) counting: Counting,
}

/// Whether the server is asked what it counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    Asked,
    Unknown,
}

impl Chat<'_> {
    /// Goes on until the model is done.
    pub(super) async fn talk(&mut self) -> Result<AgentOutcome, AgentFailure> {
        let mut guard = LoopGuard::new(self.options.max_turns);
        loop {
            self.voice.asked();
            let mut answer = self.ask().await?;
            answer.settle(guard.turn());
            guard.answered(&answer).map_err(|message| self.endless(message))?;
            self.history.answered(&answer).map_err(|_| self.too_long())?;
            if answer.calls.is_empty() {
                return self.done(answer);
            }
            let results = self.tools.call_all(&answer.calls).await?;
            guard.called(&answer.calls, &results).map_err(|message| self.endless(message))?;
            for (call, result) in answer.calls.iter().zip(&results) {
                self.history.result(&call.id, result).map_err(|_| self.too_long())?;
            }
        }
    }

    fn done(&mut self, answer: Answer) -> Result<AgentOutcome, AgentFailure> {
        match answer.finish.as_deref() {
            Some("content_filter") => {
                return Err(self.failed("the answer was withheld by a content filter"));
            }
            Some("length") => self.voice.complain("the answer was cut at the limit of tokens"),
            Some(_) | None => {}
        }
        let Answer { text, model, .. } = answer;
        Ok(AgentOutcome { text, session: None, usage: self.usage, model })
    }

    /// One answer. A request that gave none is made again within bounds; nothing was executed by then.
    async fn ask(&mut self) -> Result<Answer, AgentFailure> {
        let mut attempts = 0;
        loop {
            let trouble = match self.attempt().await? {
                Ok(answer) => {
                    let used = answer.usage(self.history.bytes());
                    self.usage = self.usage.plus(used);
                    self.voice.answered(&answer.text, used);
                    return Ok(answer);
                }
                Err(trouble) => trouble,
            };
            self.usage = self.usage.plus(trouble.usage);
            let wait = match trouble.remedy {
                Remedy::WithoutUsage if self.counting == Counting::Asked => {
                    self.counting = Counting::Unknown;
                    continue;
                }
                Remedy::Again(wait) if attempts < self.options.max_retries => {
                    wait.unwrap_or_else(|| backoff(attempts))
                }
                Remedy::Endless => return Err(self.endless(trouble.message)),
                Remedy::None | Remedy::WithoutUsage | Remedy::Again(_) => {
                    return Err(self.given_up(&trouble, attempts));
                }
            };
            attempts += 1;
            self.voice.complain(&format!("{}; asking again in {wait:.1?}", trouble.message));
            self.unless_cancelled(sleep(wait)).await?;
        }
    }

    async fn attempt(&mut self) -> Result<Result<Answer, Trouble>, AgentFailure> {
        let tools = self.tools.offered();
        let body = Body {
            model: self.model,
            messages: self.history.messages(),
            tools,
            tool_choice: (!tools.is_empty()).then_some("auto"),
            stream: true,
            stream_options: match self.counting {
                Counting::Asked => Some(StreamOptions { include_usage: true }),
                Counting::Unknown => None,
            },
            sampling: &self.options.sampling,
        };
        let body = serde_json::to_vec(&body).map_err(|error| self.failed(&error.to_string()))?;
        let (wire, options, cancel) = (self.wire, self.options, self.cancel);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(AgentFailure::Cancelled),
            answer = answer::ask(wire, body, options, &mut self.voice) => Ok(answer),
        }
    }

    async fn unless_cancelled(&self, wait: impl Future<Output = ()>) -> Result<(), AgentFailure> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(AgentFailure::Cancelled),
            () = wait => Ok(()),
        }
    }

    fn given_up(&mut self, trouble: &Trouble, attempts: usize) -> AgentFailure {
        self.voice.end();
        match attempts {
            0 => self.failed(&trouble.message),
            _ => self.failed(&format!("{}; asked {} times", trouble.message, attempts + 1)),
        }
    }

    fn too_long(&self) -> AgentFailure {
        self.failed("the conversation has become too long to be sent")
    }

    fn failed(&self, message: &str) -> AgentFailure {
        AgentFailure::Failed { message: message.to_owned(), exit_code: None, usage: self.usage }
    }

    fn endless(&self, message: String) -> AgentFailure {
        AgentFailure::Endless { message, usage: self.usage }
    }
}
