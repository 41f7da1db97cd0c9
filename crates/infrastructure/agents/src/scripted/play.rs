//! Turn by turn: what is said, what is called, and whether what came back was expected.

use awf_core::{AgentFailure, AgentNews, AgentOutcome, ModelAnswer, ScriptedCall, Turn, Usage};
use futures_util::future::join_all;

use crate::scripted::{
    Part,
    expect::check,
    toolbox::{Answer, Toolbox},
};

/// Bytes to a token, roughly.
const TOKEN: usize = 4;

/// Plays all turns. The last thing said is the answer.
pub(super) async fn play(part: &Part<'_>, tools: &Toolbox) -> Result<AgentOutcome, AgentFailure> {
    let request = part.request;
    let mut bytes = Bytes { read: request.prompt.len(), written: 0 };
    bytes.read += request.system_prompt.as_deref().map_or(0, str::len);
    let (mut text, mut before) = (String::new(), Bytes { read: 0, written: 0 });
    for turn in part.turns {
        (part.watcher)(AgentNews::Asked);
        if let Some(said) = &turn.say {
            (part.watcher)(AgentNews::Text(line(said)));
            bytes.written += said.len();
            text.clone_from(said);
        }
        bytes.written += turn.calls.iter().map(|call| call.tool.value.len()).sum::<usize>();
        (part.watcher)(AgentNews::Answered(ModelAnswer {
            text: turn.say.clone().unwrap_or_default(),
            usage: Some(bytes.since(&before).usage()),
        }));
        before = bytes;
        for (call, answer) in answers(turn, tools).await? {
            bytes.read += answer.text.len();
            check(call, &answer).map_err(AgentFailure::Mismatch)?;
        }
        if let Some(message) = &turn.fail {
            let (message, usage) = (message.clone(), bytes.usage());
            return Err(AgentFailure::Failed { message, exit_code: Some(1), usage });
        }
    }
    let session = request.session.clone();
    let session = session.or_else(|| Some(format!("scripted-{}-{}", request.run, request.step)));
    Ok(AgentOutcome { text, session, usage: bytes.usage(), model: None })
}

/// The calls of one turn run at once, as a model's do.
async fn answers<'t>(
    turn: &'t Turn,
    tools: &Toolbox,
) -> Result<Vec<(&'t ScriptedCall, Answer)>, AgentFailure> {
    let calls = turn.calls.iter().map(async |call| tools.call(call).await);
    let answers: Result<Vec<Answer>, AgentFailure> = join_all(calls).await.into_iter().collect();
    Ok(turn.calls.iter().zip(answers?).collect())
}

/// A turn's words end their line, so that the next turn's do not run into them.
fn line(said: &str) -> String {
    let end = if said.ends_with('\n') { "" } else { "\n" };
    format!("{said}{end}")
}

/// What would be counted in tokens.
#[derive(Clone, Copy)]
struct Bytes {
    read: usize,
    written: usize,
}

impl Bytes {
    fn since(&self, before: &Self) -> Self {
        Self { read: self.read - before.read, written: self.written - before.written }
    }

    fn usage(&self) -> Usage {
        let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(TOKEN)).unwrap_or(u64::MAX);
        Usage {
            input_tokens: tokens(self.read),
            output_tokens: tokens(self.written),
            estimated: true,
            cost: None,
        }
    }
}
