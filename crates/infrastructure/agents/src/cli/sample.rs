//! What the tests of the providers share: a step, a server, and an injection as a page of text.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use awf_core::{
    AgentFailure, AgentKind, AgentMode, AgentNews, AgentOutcome, AgentRequest, AgentWatcher,
    OutputFormat, OwnToolEnd, OwnToolUse, RawJson, Reach,
};
use awf_process::Exit;
use serde_json::{Map, Value};

use crate::cli::{
    dialect::Dialect,
    errand::{Errand, Server},
    injection::Injection,
    ledger::Before,
    process::Ears,
    story::Ending,
};

/// The private directory of the samples.
pub(crate) const DESK: &str = "/run/desk";

pub(crate) fn request() -> AgentRequest {
    AgentRequest {
        run: "01RUN".into(),
        step: "fix".into(),
        prompt: "Do it.".into(),
        system_prompt: Some("Be brief.".into()),
        mode: AgentMode::Single,
        output_format: OutputFormat::Raw,
        session: None,
        options: Map::new(),
        dir: "/home/ann/project".into(),
        env: vec![("PATH".into(), "/usr/bin".into())],
        trace: None,
    }
}

/// The same step, gone on with.
pub(crate) fn resumed() -> AgentRequest {
    AgentRequest { session: Some("s-1".into()), ..request() }
}

pub(crate) fn with_options(options: Value) -> AgentRequest {
    let Value::Object(options) = options else { panic!("options are an object") };
    AgentRequest { options, ..request() }
}

pub(crate) fn server(reach: Reach) -> Server {
    Server {
        command: "/usr/bin/awf".into(),
        args: vec!["mcp-serve".into(), "--config".into(), "/run/awf/serve \"1\".json".into()],
        env: BTreeMap::from([("TRACEPARENT".into(), "00-11-22-01".into())]),
        reach,
    }
}

/// Compares what a provider is started with in every way: with its own tools, intercepted, additive, and gone on with.
/// `pages` are the four, in this order.
pub(crate) fn check_started(
    inject: impl Fn(&AgentRequest, Option<Reach>) -> Injection,
    pages: [&str; 4],
) {
    let rows = [
        inject(&request(), None),
        inject(&request(), Some(Reach::Exclusive)),
        inject(&request(), Some(Reach::Additive)),
        inject(&resumed(), Some(Reach::Exclusive)),
    ];
    for (injection, expected) in rows.iter().zip(pages) {
        assert_eq!(page(injection), expected);
    }
}

pub(crate) fn errand<'a>(request: &'a AgentRequest, server: Option<&'a Server>) -> Errand<'a> {
    Errand { request, server, home: Some(Path::new("/home/ann")) }
}

/// Whole, one thing a line.
pub(crate) fn page(injection: &Injection) -> String {
    let mut lines = Vec::new();
    lines.extend(injection.args.iter().map(|arg| format!("arg  {}", arg.display())));
    let env = injection.env.iter();
    lines.extend(env.map(|(name, value)| format!("env  {}={}", name.display(), value.display())));
    for file in &injection.files {
        lines.push(format!("file {}", file.path.display()));
        lines.extend(file.content.lines().map(|line| format!("     {line}")));
    }
    let links = injection.links.iter();
    lines.extend(
        links.map(|link| format!("link {} -> {}", link.path.display(), link.target.display())),
    );
    lines.push(format!("stdin {:?}\n", injection.stdin));
    lines.join("\n")
}

/// What a stream tells, and what it amounts to when the program exits with `code`.
pub(crate) fn heard(
    kind: AgentKind,
    stream: impl AsRef<[u8]>,
    code: i32,
) -> (Vec<AgentNews>, Result<AgentOutcome, AgentFailure>) {
    let dialect = Dialect::of(kind).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let watcher: AgentWatcher = Arc::new(move |news| sender.send(news).unwrap());
    let mut ears = Ears::new(dialect, &watcher);
    ears.output(stream.as_ref());
    let (story, _) = ears.close();
    let ending = Ending { exit: Exit::Code(code), before: Before::New, complaints: "" };
    let outcome = story.conclude(kind, &ending);
    drop(watcher);
    (receiver.try_iter().filter(|news| turn(news).is_none()).collect(), outcome)
}

/// When the model was asked, and what it answered, as the stream tells.
pub(crate) fn turns(kind: AgentKind, stream: impl AsRef<[u8]>) -> Vec<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let watcher: AgentWatcher = Arc::new(move |news| sender.send(news).unwrap());
    let mut ears = Ears::new(Dialect::of(kind).unwrap(), &watcher);
    ears.output(stream.as_ref());
    ears.close();
    drop(watcher);
    receiver.try_iter().filter_map(|news| turn(&news)).collect()
}

fn turn(news: &AgentNews) -> Option<String> {
    match news {
        AgentNews::Asked => Some("asked".to_owned()),
        AgentNews::Answered(answer) => {
            let used = answer.usage.map(|used| (used.input_tokens, used.output_tokens));
            Some(format!("{:?} {used:?}", answer.text))
        }
        AgentNews::Text(_) | AgentNews::Complaint(_) | AgentNews::OwnTool(_) => None,
    }
}

pub(crate) fn said(text: &str) -> AgentNews {
    AgentNews::Text(text.to_owned())
}

pub(crate) fn used(tool: &str, arguments: &str, end: OwnToolEnd) -> AgentNews {
    let arguments = RawJson::parse(arguments).unwrap();
    AgentNews::OwnTool(OwnToolUse { tool: tool.to_owned(), arguments, end })
}

pub(crate) fn failure(outcome: Result<AgentOutcome, AgentFailure>) -> (String, Option<i32>) {
    match outcome {
        Err(AgentFailure::Failed { message, exit_code, .. }) => (message, exit_code),
        other => panic!("not a failure of the program: {other:?}"),
    }
}

/// Why an errand cannot be taken.
pub(crate) fn refusal(injection: Result<Injection, AgentFailure>) -> String {
    match injection {
        Err(AgentFailure::Unusable(reason)) => reason,
        other => panic!("not refused: {other:?}"),
    }
}
