//! The real agents, from npm, against scripted models: driven by the built awf, in a network that ends at this machine.

mod agent;
mod allowed;
mod crew;
mod hostile;
mod intent;
mod namespace;
mod otlp;
mod seen;
mod setup;
mod signals;
mod stage;
mod steps;

use anyhow::Result;

use super::{ground::Ground, report::Report};
use agent::Agent;
use allowed::Leave;
use crew::{Job, work};
use stage::{Interrupt, Tools};
use steps::Mode;

pub(crate) use namespace::play;

/// How often each signal is tried by the build server, and in a soak.
const FEW: usize = 2;
const MANY: usize = 20;

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let tools = Tools::installed(ground)?;
    let mut jobs = Vec::new();
    // The last to end should be short.
    let slowest_first = [Agent::OpenCode, Agent::Gemini, Agent::Codex, Agent::Claude];
    for agent in slowest_first.into_iter().filter(|agent| ground.has_part(agent.provider())) {
        jobs.extend(steps_of(&tools, agent));
        jobs.extend(hostile_of(&tools, agent));
        jobs.extend(allowed_of(&tools, agent));
        jobs.extend(signals_of(&tools, agent, FEW));
    }
    if ground.has_part(Agent::Endpoint.provider()) {
        jobs.extend(steps_of(&tools, Agent::Endpoint));
    }
    work(jobs, report);
    Ok(())
}

/// The signals alone, often.
pub(crate) fn soak() -> Result<()> {
    let ground = Ground::prepare(&[])?;
    let tools = Tools::installed(&ground)?;
    let mut report = Report::default();
    report.open("agents");
    work(
        Agent::CLIS.into_iter().flat_map(|agent| signals_of(&tools, agent, MANY)).collect(),
        &mut report,
    );
    report.close()
}

fn steps_of<'a>(tools: &'a Tools<'_>, agent: Agent) -> Vec<Job<'a>> {
    let job = |mode| -> Job<'a> { Box::new(move || steps::check(tools, agent, mode)) };
    let intent: Job<'a> = Box::new(move || intent::check(tools, agent));
    Mode::ALL.into_iter().map(job).chain([intent]).collect()
}

fn allowed_of<'a>(tools: &'a Tools<'_>, agent: Agent) -> Vec<Job<'a>> {
    let job = |leave| -> Job<'a> { Box::new(move || allowed::check(tools, agent, leave)) };
    Leave::ALL.into_iter().map(job).collect()
}

fn hostile_of<'a>(tools: &'a Tools<'_>, agent: Agent) -> Vec<Job<'a>> {
    vec![
        Box::new(move || hostile::check(tools, agent)),
        Box::new(move || hostile::check_control(tools, agent)),
    ]
}

fn signals_of<'a>(tools: &'a Tools<'_>, agent: Agent, trials: usize) -> Vec<Job<'a>> {
    let job = |(interrupt, trial)| -> Job<'a> {
        Box::new(move || signals::check(tools, agent, interrupt, trial))
    };
    let trials = Interrupt::ALL
        .into_iter()
        .flat_map(|interrupt| (1..=trials).map(move |trial| (interrupt, trial)));
    trials.map(job).collect()
}
