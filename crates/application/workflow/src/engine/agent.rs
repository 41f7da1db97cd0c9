//! Steps that an agent takes: asked, given its tools, waited for; its session is closed on every path.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use awf_core::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, AgentProvider, AgentRequest, AgentState,
    AgentWatcher, Code, McpProxy, OutputFormat, Reach, StepError, StepResult, StepStatus,
    ToolAccess, ToolCalls,
};
use awf_tools::{CallNews, ProxySession, SessionRequest, ToolProxyService};
use futures_util::FutureExt as _;
use tokio_util::sync::CancellationToken;

use crate::{
    engine::{
        Notice, OutputStream,
        bench::{Bench, Exported, Job},
        patience::{Ended, within},
        render::{render, values},
    },
    machine,
};

mod answer;
mod prompt;

/// An agent, ready to be asked.
struct Errand {
    agent: Arc<dyn AgentProvider>,
    request: AgentRequest,
    /// What gives it tools, where it wants any.
    tools: Option<(Arc<ToolProxyService>, SessionRequest)>,
    watcher: AgentWatcher,
    timeout: Option<Duration>,
    cancel: CancellationToken,
}

pub(super) fn step(bench: &Bench<'_>, state: &AgentState) -> Result<Job, StepError> {
    let provider = match bench.provider {
        Some(provider) => provider.to_owned(),
        None => render(&state.provider, &bench.view)?,
    };
    let agent = (bench.ports.agents)(&provider).map_err(|failure| fault(&failure))?;
    let dir = bench.dir()?;
    let request = AgentRequest {
        run: bench.run.to_string(),
        step: bench.task.step.clone(),
        prompt: prompt::prompt(bench, state)?,
        system_prompt: prompt::system_prompt(bench, state)?,
        mode: state.mode,
        output_format: state.output_format,
        session: session(bench, state)?,
        options: values(&state.options, &bench.view)?,
        dir: dir.clone(),
        env: bench.env(Exported::Nothing)?.into_vec(),
        trace: bench.trace.clone(),
    };
    let tools = match &state.proxy {
        Some(proxy) if proxy.enable => Some(tools(bench, state, proxy, dir)?),
        Some(_) | None => None,
    };
    let errand = Errand {
        agent,
        request,
        tools,
        watcher: watcher(bench),
        timeout: bench.timeout(),
        cancel: bench.cancel.child_token(),
    };
    Ok(Job { work: run(errand).boxed(), provider: Some(provider) })
}

/// The session of the state that is gone on with.
fn session(bench: &Bench<'_>, state: &AgentState) -> Result<Option<String>, StepError> {
    let Some(earlier) = &state.continue_from else { return Ok(None) };
    match bench.view.session(&earlier.value) {
        Some(session) => Ok(Some(session.to_owned())),
        None => Err(StepError {
            code: Code::AgentFailed,
            message: format!("state `{}` has no session to go on with", earlier.value),
        }),
    }
}

fn tools(
    bench: &Bench<'_>,
    state: &AgentState,
    proxy: &McpProxy,
    dir: std::path::PathBuf,
) -> Result<(Arc<ToolProxyService>, SessionRequest), StepError> {
    let service = bench.ports.proxy.clone().ok_or_else(|| StepError {
        code: Code::ProxyUnavailable,
        message: "there is no proxy to give the step its tools".to_owned(),
    })?;
    let (notices, step) = (bench.ports.notices.clone(), bench.task.step.clone());
    let roots = state.tools.roots.iter();
    let roots = roots.map(|root| Ok(bench.ports.dir.join(render(root, &bench.view)?)));
    let request = SessionRequest {
        run: bench.run.to_string(),
        step: bench.task.step.clone(),
        dir,
        proxy: proxy.clone(),
        allow: state.tools.allow,
        surface: state.tools.surface,
        servers: state.tools.servers.iter().map(|server| server.value.clone()).collect(),
        roots: roots.collect::<Result<_, StepError>>()?,
        env: bench.own_env()?,
        redactor: bench.redactor.as_ref().clone(),
        trace: bench.trace.clone(),
        watcher: Arc::new(move |call: CallNews| {
            notices(Notice::ToolCall { step: step.clone(), call });
        }),
    };
    Ok((service, request))
}

fn watcher(bench: &Bench<'_>) -> AgentWatcher {
    let (notices, redactor) = (bench.ports.notices.clone(), bench.redactor.clone());
    let step = bench.task.step.clone();
    Arc::new(move |news| {
        let (stream, said) = match news {
            AgentNews::Text(said) => (OutputStream::Stdout, said),
            AgentNews::Complaint(said) => (OutputStream::Stderr, said),
            AgentNews::OwnTool(_) => return,
        };
        let text = redactor.text(&said).into_owned();
        notices(Notice::Output { step: step.clone(), stream, text });
    })
}

async fn run(errand: Errand) -> StepResult {
    let began = Instant::now();
    let format = errand.request.output_format;
    let result = match open(&errand).await {
        Ok(tools) => {
            let (answer, calls) = ask(errand, tools).await;
            StepResult { calls, ..told(answer, format) }
        }
        Err(refused) => *refused,
    };
    StepResult { elapsed: began.elapsed(), ..result }
}

/// The session of a step that wants tools, or why it has none.
async fn open(errand: &Errand) -> Result<Option<ProxySession>, Box<StepResult>> {
    let Some((service, request)) = &errand.tools else { return Ok(None) };
    let opening = service.open(request.clone());
    Err(Box::new(match within(errand.timeout, &errand.cancel, opening).await {
        Ended::ByItself(Ok(session)) => return Ok(Some(session)),
        Ended::ByItself(Err(error)) => {
            machine::failed(StepError { code: error.code(), message: error.to_string() })
        }
        Ended::Late(error) => machine::failed(error),
        Ended::Cancelled => machine::finished(StepStatus::Cancelled, 130),
    }))
}

/// Asks, and closes the session whatever comes of it.
async fn ask(
    errand: Errand,
    tools: Option<ProxySession>,
) -> (Ended<Result<AgentOutcome, AgentFailure>>, ToolCalls) {
    let Errand { agent, request, tools: wanted, watcher, timeout, cancel } = errand;
    let access = match (&tools, wanted) {
        (Some(session), Some((_, asked))) => access(agent.kind(), session, &asked.proxy),
        (Some(_) | None, _) => ToolAccess::Own,
    };
    let answer =
        within(timeout, &cancel, agent.run(request, access, watcher, cancel.clone())).await;
    let Some(session) = tools else { return (answer, ToolCalls::default()) };
    let calls = session.calls();
    session.close().await;
    (answer, calls)
}

/// Agents that are programs start a server; the one that is a loop in this process has the router itself.
fn access(kind: AgentKind, session: &ProxySession, proxy: &McpProxy) -> ToolAccess {
    match kind {
        AgentKind::OpenAiCompatible => {
            let reach = if proxy.intercept_builtins { Reach::Exclusive } else { Reach::Additive };
            ToolAccess::Router { router: session.router(), reach }
        }
        AgentKind::Claude
        | AgentKind::Gemini
        | AgentKind::Codex
        | AgentKind::OpenCode
        | AgentKind::Scripted => session.access(),
    }
}

fn told(answer: Ended<Result<AgentOutcome, AgentFailure>>, format: OutputFormat) -> StepResult {
    match answer {
        Ended::Late(error) => machine::failed(error),
        Ended::Cancelled | Ended::ByItself(Err(AgentFailure::Cancelled)) => {
            machine::finished(StepStatus::Cancelled, 130)
        }
        Ended::ByItself(Ok(outcome)) => answer::read(outcome, format),
        Ended::ByItself(Err(failure)) => {
            let exit_code = match &failure {
                AgentFailure::Failed { exit_code: Some(code), .. } if *code != 0 => *code,
                AgentFailure::Failed { .. }
                | AgentFailure::Start(_)
                | AgentFailure::Cancelled
                | AgentFailure::Unsupported(_)
                | AgentFailure::Missing { .. }
                | AgentFailure::Endless { .. }
                | AgentFailure::Mismatch(_)
                | AgentFailure::Unusable(_) => 1,
            };
            let usage = failure.usage();
            StepResult { exit_code, usage, ..machine::failed(fault(&failure)) }
        }
    }
}

/// Why there is no answer, as a step tells it.
pub(super) fn fault(failure: &AgentFailure) -> StepError {
    let code = match failure {
        AgentFailure::Unsupported(_) => Code::AgentUnsupported,
        AgentFailure::Missing { .. } => Code::AgentMissing,
        AgentFailure::Endless { .. } => Code::ProxyInfiniteLoop,
        AgentFailure::Mismatch(_) => Code::ScriptMismatch,
        AgentFailure::Start(_) | AgentFailure::Failed { .. } | AgentFailure::Cancelled => {
            Code::AgentFailed
        }
        AgentFailure::Unusable(_) => Code::AgentUnusable,
    };
    StepError { code, message: failure.to_string() }
}
