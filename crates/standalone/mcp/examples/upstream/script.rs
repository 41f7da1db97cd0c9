//! What a script may hold. Every key but `stages` may be left out.

use std::{collections::HashMap, path::PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

/// The whole script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Script {
    #[serde(default = "name")]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) era: Era,
    /// One line for each `tools/list` (`list`, cursor) and each `tools/call` (`call`, name, arguments, `_meta`), apart
    /// by tabs and written before the answer.
    pub(crate) count: Option<PathBuf>,
    /// What the client answered to our own questions, a line each: method, then the whole message.
    pub(crate) answers: Option<PathBuf>,
    /// The lists of tools, in the order in which they are served.
    pub(crate) stages: Vec<Stage>,
    #[serde(default)]
    pub(crate) pages: Pages,
    /// What a tool does; one that is not named here echoes.
    #[serde(default)]
    pub(crate) behaviours: HashMap<String, Behaviour>,
    #[serde(default)]
    pub(crate) start: Start,
    /// So many mebibytes of complaints on stderr, beside everything else.
    #[serde(default)]
    pub(crate) stderr_mib: usize,
    #[serde(default)]
    pub(crate) http: Http,
}

fn name() -> String {
    "upstream".to_owned()
}

/// A list of tools, and when it takes the place of the one before. Without a trigger it does so never.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stage {
    /// Each is served byte for byte.
    pub(crate) tools: Vec<Box<RawValue>>,
    /// After so many lists were served, counted from the start.
    pub(crate) on_list: Option<usize>,
    /// When so many calls were received, counted from the start; before the last of them is answered.
    pub(crate) on_call: Option<usize>,
    /// When this file is there.
    pub(crate) on_file: Option<PathBuf>,
    /// Whether the client is told (`notifications/tools/list_changed`).
    #[serde(default)]
    pub(crate) tell: bool,
    /// What becomes of those who ask for it.
    #[serde(default)]
    pub(crate) listing: Listing,
}

/// What becomes of a `tools/list`.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Listing {
    /// It is answered.
    #[default]
    Served,
    /// After so many milliseconds; calls are answered meanwhile.
    AfterMs(u64),
    /// By a JSON-RPC error with this code.
    Refused(i64),
}

/// How lists are cut.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pages {
    #[default]
    One,
    /// So many tools on each.
    Of(usize),
    /// Always another cursor.
    Endless,
    /// Always the same cursor.
    Stuck,
    /// `tools/list` is never answered.
    Silent,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Era {
    #[default]
    Legacy,
    Modern,
}

/// What a tool does when it is called.
#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Behaviour {
    /// Its arguments as text and as `structuredContent`.
    #[default]
    Echo,
    /// This result, byte for byte.
    Result(Box<RawValue>),
    /// An `isError` result with this text.
    Error(String),
    /// A JSON-RPC error with this code.
    Refuse(i64),
    /// Never answers.
    Hang,
    /// Echoes after a while.
    SleepMs(u64),
    /// The process ends with this code.
    Exit(i32),
    /// The process is killed by a signal.
    Abort,
    /// So many mebibytes of text.
    ReplyMib(usize),
    /// So many mebibytes that are no message, in one line; then the echo.
    GarbageMib(usize),
    /// A text that holds a JSON-RPC message on a line of its own, with the id of the next request.
    Forge,
    /// Asks the client these first (`sampling/createMessage`, `roots/list`, `elicitation/create`), then echoes.
    Ask(Vec<String>),
}

/// What happens before the first message.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Start {
    pub(crate) stdout: Option<String>,
    pub(crate) stderr: Option<String>,
    pub(crate) exit: Option<i32>,
    pub(crate) sleep_ms: u64,
    /// `initialize` and `server/discover` are never answered.
    pub(crate) silent: bool,
}

/// How it answers over HTTP.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Http {
    /// Answers are event streams; else JSON.
    pub(crate) sse: bool,
    /// Given out with the first answer and asked for ever after.
    pub(crate) session: Option<String>,
    /// Headers that every request must carry, in lower case; 401 without them.
    pub(crate) headers: HashMap<String, String>,
    /// Every request is answered with this status and no more.
    pub(crate) status: Option<u16>,
}
