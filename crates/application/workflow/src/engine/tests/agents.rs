//! Agent steps: what an agent is asked, and what becomes of its answer.

use std::{
    fs,
    sync::{Arc, Mutex},
    time::Duration,
};

use awf_core::{
    AgentFailure, AgentMode, AgentOutcome, AgentRequest, Code, McpProxy, OutputFormat,
    PromptSource, RunStatus, Skill, StepStatus, Usage,
};
use futures_util::FutureExt as _;

use super::stage::{Answering, Stage, Tireless, with};
use crate::{
    Notice,
    built::{Leading as _, agent, agent_with, command, input, name, span, text, tree, workflow},
};

fn saying(text: &str) -> AgentOutcome {
    AgentOutcome { text: text.to_owned(), ..AgentOutcome::default() }
}

#[tokio::test]
async fn an_agent_is_asked_with_everything_filled_in() {
    let asked: Arc<Mutex<Vec<AgentRequest>>> = Arc::default();
    let heard = asked.clone();
    let mut stage = Stage::new().input("topic", "cats").agent(Answering(move |request| {
        heard.lock().unwrap().push(request);
        let session = Some("s-1".to_owned());
        let usage = Usage { input_tokens: 3, output_tokens: 4, ..Usage::default() };
        Ok(AgentOutcome {
            text: "```json\n{\"n\": 1}\n```".to_owned(),
            session,
            usage,
            model: None,
        })
    }));
    fs::create_dir_all(stage.path("skills/style")).unwrap();
    fs::create_dir_all(stage.path("roles/editor")).unwrap();
    fs::write(stage.path("skills/style/SKILL.md"), "be brief\n").unwrap();
    fs::write(stage.path("roles/editor/AGENTS.md"), "you edit\n").unwrap();
    fs::write(stage.path("p.md"), "about {{.inputs.topic}}").unwrap();
    stage.ports.places.skills = vec![stage.path("skills")];
    stage.ports.places.roles = vec![stage.path("roles")];
    let first = agent_with("ask", |agent| {
        agent.prompt = PromptSource::File(text("p.md"));
        agent.skills = vec![Skill::Named(name("style"))];
        agent.role = Some(name("editor"));
        agent.system_prompt = Some(text("on {{.inputs.topic}}"));
        agent.options = vec![(name("model"), tree("m-{{.inputs.topic}}"))];
        agent.output_format = OutputFormat::Json;
    });
    let more = agent_with("more", |agent| agent.continue_from = Some(name("ask")));
    let mut flow = workflow([
        first.to("more"),
        with(more, |state| state.env = vec![(name("X"), text("1"))]).to("use"),
        command("use", "echo {{.states.ask.JSON.n}} {{.states.ask.TokensUsed}}"),
    ]);
    flow.inputs = vec![input("topic")];
    assert_eq!(stage.run(flow).await.exit_code, 0);
    assert_eq!(stage.output("use"), "1 7\n");
    let asked = asked.lock().unwrap();
    assert_eq!(asked[0].prompt, "be brief\n\nabout cats");
    assert_eq!(asked[0].system_prompt.as_deref(), Some("you edit\n\non cats"));
    assert_eq!(asked[0].options["model"], "m-cats");
    assert_eq!((asked[0].session.as_deref(), asked[1].session.as_deref()), (None, Some("s-1")));
    assert!(asked[1].env.contains(&("X".into(), "1".into())));
    let began = |notice: &Notice| matches!(notice, Notice::StepBegan { kind: "agent", provider: Some(provider), .. } if provider == "claude");
    assert!(stage.news().iter().any(began));
}

#[tokio::test]
async fn failures_of_agents_have_codes_of_their_own() {
    let rows = [
        (AgentFailure::Unsupported("x".to_owned()), Code::AgentUnsupported, 1),
        (AgentFailure::Mismatch("m".to_owned()), Code::ScriptMismatch, 1),
        (
            AgentFailure::Failed {
                message: "f".to_owned(),
                exit_code: Some(9),
                usage: Usage::default(),
            },
            Code::AgentFailed,
            9,
        ),
        (
            AgentFailure::Failed {
                message: "f".to_owned(),
                exit_code: Some(0),
                usage: Usage::default(),
            },
            Code::AgentFailed,
            1,
        ),
        (AgentFailure::Start("s".to_owned()), Code::AgentFailed, 1),
        (AgentFailure::Unusable("u".to_owned()), Code::AgentUnusable, 1),
    ];
    for (failure, code, exit_code) in rows {
        let stage = Stage::new().agent(Answering(move |_| Err(failure.clone())));
        let finished = stage.run(workflow([agent("ask", "hi")])).await;
        assert_eq!(finished.error.unwrap().code, code);
        assert_eq!(stage.result("ask").exit_code, exit_code);
    }
}

#[tokio::test]
async fn a_conversation_goes_on_until_nothing_is_said() {
    let asked: Arc<Mutex<Vec<AgentRequest>>> = Arc::default();
    let heard = asked.clone();
    let mut stage = Stage::new().agent(Answering(move |request: AgentRequest| {
        let text = format!("re: {}", request.prompt);
        heard.lock().unwrap().push(request);
        let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
        Ok(AgentOutcome { text, session: Some("s-1".to_owned()), usage, model: None })
    }));
    let lines = Mutex::new(vec!["quit", "and now?", "more"]);
    stage.ports.person = Some(Arc::new(move |_step| {
        let line = lines.lock().unwrap().pop().map(str::to_owned);
        async move { line }.boxed()
    }));
    let talk = agent_with("talk", |agent| agent.mode = AgentMode::Conversation);
    let finished = stage.run(workflow([talk])).await;
    assert_eq!(finished.exit_code, 0, "{finished:?}");
    assert_eq!(stage.output("talk"), "re: and now?");
    let asked = asked.lock().unwrap();
    let sessions: Vec<_> = asked.iter().map(|request| request.session.as_deref()).collect();
    assert_eq!(sessions, [None, Some("s-1"), Some("s-1")]);
    let ended = stage.news().into_iter().find_map(|notice| match notice {
        Notice::RunEnded { totals, .. } => Some(totals.usage),
        _ => None,
    });
    assert_eq!(ended.map(|usage| (usage.input_tokens, usage.output_tokens)), Some((30, 3)));
}

#[tokio::test]
async fn a_conversation_with_nobody_is_refused() {
    let stage = Stage::new().agent(Answering(|_| panic!("asked")));
    let talk = agent_with("talk", |agent| agent.mode = AgentMode::Conversation);
    let finished = stage.run(workflow([talk])).await;
    assert_eq!(finished.error.unwrap().code, Code::AgentUnusable);
}

#[tokio::test]
async fn an_agent_out_of_time_is_told_to_stop() {
    let stage = Stage::new().agent(Tireless);
    let step = with(agent("ask", "hi"), |state| state.timeout = Some(Duration::from_millis(20)));
    let finished = stage.run(workflow([step])).await;
    assert_eq!(finished.exit_code, 124);
    assert_eq!(finished.error.unwrap().message, "did not end within 20ms");
}

#[tokio::test]
async fn an_agent_is_stopped_with_the_run() {
    let stage = Stage::new().agent(Tireless);
    stage.stop.cancel();
    let finished = stage.run(workflow([agent("ask", "hi")])).await;
    assert_eq!((finished.status, finished.exit_code), (RunStatus::Cancelled, 130));
    assert_eq!(stage.result("ask").status, StepStatus::Cancelled);
}

#[tokio::test]
async fn an_agent_that_panics_has_failed() {
    let stage = Stage::new().agent(Answering(|_| panic!("oh")));
    let finished = stage.run(workflow([agent("ask", "hi")])).await;
    assert_eq!(finished.error.unwrap().code, Code::InternalUnmapped);
}

#[tokio::test]
async fn a_step_that_wants_tools_fails_where_there_are_none() {
    let stage = Stage::new().agent(Answering(|_| Ok(saying("never"))));
    let step = agent_with("ask", |agent| {
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins: true,
            plugin_tools: Vec::new(),
            span: span(1),
        });
    });
    let finished = stage.run(workflow([step])).await;
    assert_eq!(finished.error.unwrap().code, Code::ProxyUnavailable);
}
