//! `awf doctor`: each agent on this machine is started just as a step starts it, against a model that awf plays itself, and
//! what it offers that model is read. No key, no network.

use std::path::PathBuf;

use awf_agents::Installed;
use awf_core::{AgentFailure, AgentKind, nearest};
use clap::Args;
use tokio_util::sync::CancellationToken;

use crate::{
    commands::doctor::{
        document::Report,
        finding::{Finding, finding},
        trial::{Bench, Ground, trial},
        ward::{NOWHERE, Ward},
    },
    environment::Environment,
    moment::rfc3339,
    output::Output,
    proofs::{Proof, Proofs, Verdict},
    report::{CommandError, Exit, say},
    signals::Signals,
    telemetry::Telemetry,
    wiring,
};

mod document;
mod finding;
mod hostile;
mod proxy;
mod script;
mod trial;
mod ward;

/// What a person reads first.
const HEAD: &str = "Agents against a model that awf plays on this machine: no key, no network.";

/// The agents that are tried.
pub(crate) const TRIED: [AgentKind; 5] = [
    AgentKind::Claude,
    AgentKind::Codex,
    AgentKind::Gemini,
    AgentKind::OpenCode,
    AgentKind::OpenAiCompatible,
];

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Only this agent: claude, codex, gemini, opencode or `openai_compatible`
    #[arg(long, value_name = "NAME", value_parser = agent)]
    agent: Option<AgentKind>,
    /// Try again what was tried before
    #[arg(long)]
    fresh: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 6 unless every agent that is installed is proven
    #[arg(long)]
    strict: bool,
}

/// What is known of one agent.
pub(crate) enum Diagnosis {
    /// It is not on this machine.
    Absent(AgentKind),
    /// It was tried, now or before.
    Known(Box<Known>),
}

/// An agent that was tried.
pub(crate) struct Known {
    proof: Proof,
    /// Where its program is; none for what runs in awf itself.
    program: Option<String>,
    /// Why nothing is known.
    reason: Option<String>,
    /// Whether it was tried before, not now.
    cached: bool,
}

pub(crate) async fn run(
    args: &DoctorArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    let mut signals = Signals::listen()?;
    let stop = CancellationToken::new();
    let bench = Bench { environment, telemetry, stop: &stop };
    let work = examine(args, bench);
    tokio::pin!(work);
    let report = tokio::select! {
        report = &mut work => report?,
        () = signals.next() => {
            stop.cancel();
            work.await?;
            return Err(CommandError::interrupted());
        }
    };
    if args.json {
        Output::stdout().json(&report)?;
    } else {
        Output::stdout().line(&format!("\n{}", report.last_word()))?;
    }
    Ok(if args.strict && !report.is_proven() { Exit::Unproven } else { Exit::Ok })
}

async fn examine(args: &DoctorArgs, bench: Bench<'_>) -> Result<Report, CommandError> {
    Ward::sweep(bench.environment);
    let home = bench.environment.awf_home()?;
    let mut proofs = Proofs::load(&home);
    // A person sees each finding when it is there; a program reads them all at once.
    let tell = |lines: Vec<String>| {
        if args.json { Ok(()) } else { Output::stdout().line(&lines.join("\n")) }
    };
    tell(vec![format!("{HEAD}\n\n")])?;
    let mut report = Report::new(&home, proxy::check(bench).await?, args.agent);
    tell(report.first_lines())?;
    for kind in TRIED.into_iter().filter(|kind| args.agent.is_none_or(|only| only == *kind)) {
        if bench.stop.is_cancelled() {
            break;
        }
        let diagnosis = diagnose(kind, args, bench, &mut proofs).await?;
        tell(report.add(&diagnosis))?;
    }
    Ok(report)
}

async fn diagnose(
    kind: AgentKind,
    args: &DoctorArgs,
    bench: Bench<'_>,
    proofs: &mut Proofs,
) -> Result<Diagnosis, CommandError> {
    let installed = match installed(kind, bench).await {
        Ok(installed) => installed,
        Err(AgentFailure::Missing { .. }) => return Ok(Diagnosis::Absent(kind)),
        Err(failure) => return Ok(Diagnosis::Known(Box::new(Known::unknown(kind, &failure)))),
    };
    let program = match kind {
        AgentKind::OpenAiCompatible => None,
        _ => Some(installed.program.display().to_string()),
    };
    if let Some(proof) = proofs.of(&installed).filter(|_| !args.fresh) {
        let known = Known { proof: proof.clone(), program, reason: None, cached: true };
        return Ok(Diagnosis::Known(Box::new(known)));
    }
    let (plain, hostile) =
        tokio::join!(trial(kind, Ground::Plain, bench), trial(kind, Ground::Hostile, bench));
    let found = finding(kind, &plain?, &hostile?);
    let known = Known::new(installed, found, program);
    // What could not be tried may go better the next time; what was broken off proves nothing.
    if known.proof.verdict != Verdict::Failed
        && !bench.stop.is_cancelled()
        && let Err(error) = proofs.keep(known.proof.clone())
    {
        // The finding is as good without its memory.
        say(&format!("warning: {error}; it will have to be tried again"));
    }
    Ok(Diagnosis::Known(Box::new(known)))
}

/// Which program it is. The loop in this process is this very awf.
async fn installed(kind: AgentKind, bench: Bench<'_>) -> Result<Installed, AgentFailure> {
    if kind == AgentKind::OpenAiCompatible {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let program = bench.environment.executable.clone();
        return Ok(Installed { kind, program, version, sha256: String::new() });
    }
    let unable = |error: std::io::Error| AgentFailure::Start(error.to_string());
    let ward = Ward::open(bench.environment).map_err(unable)?;
    let environment = ward.environment(bench.environment, NOWHERE);
    let asked = bench.stop.run_until_cancelled(wiring::installed(kind, &environment)).await;
    asked.unwrap_or(Err(AgentFailure::Cancelled))
}

impl Known {
    fn new(installed: Installed, found: Finding, program: Option<String>) -> Self {
        let Installed { kind, version, sha256, .. } = installed;
        let proof = Proof {
            agent: kind.as_str().to_owned(),
            version,
            sha256,
            awf_version: env!("CARGO_PKG_VERSION").to_owned(),
            login: ward::login(kind).to_owned(),
            verdict: found.verdict,
            remains: found.remains,
            leaks: found.leaks,
            at: rfc3339(std::time::SystemTime::now()),
        };
        Self { proof, program, reason: found.reason, cached: false }
    }

    /// Its program is there and does not say what it is.
    fn unknown(kind: AgentKind, failure: &AgentFailure) -> Self {
        let installed = Installed {
            kind,
            program: PathBuf::default(),
            version: "unknown".to_owned(),
            sha256: String::new(),
        };
        let found = Finding {
            verdict: Verdict::Failed,
            offered: 0,
            remains: Vec::new(),
            leaks: Vec::new(),
            reason: Some(failure.to_string()),
        };
        Self::new(installed, found, None)
    }
}

fn agent(text: &str) -> Result<AgentKind, String> {
    let names = TRIED.map(AgentKind::as_str);
    AgentKind::parse(text).filter(|kind| TRIED.contains(kind)).ok_or_else(|| {
        match nearest(text, names).first() {
            Some(near) => format!("there is no agent `{text}`; did you mean `{near}`?"),
            None => format!("there is no agent `{text}`; use {}", names.join(", ")),
        }
    })
}
