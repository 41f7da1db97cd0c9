//! awf is interrupted while a real agent waits for a command: afterwards nothing is left, and no file is changed.

use anyhow::{Result, ensure};
use serde_json::json;

use super::{
    agent::Agent,
    crew::{Checks, checks_of},
    hostile::{add_hostile_files, workflow},
    seen::Seen,
    stage::{Interrupt, Tools},
};

/// A command with a child that hides in a session of its own.
const COMMAND: &str = "setsid sleep 300 & touch started; sleep 300";

impl Interrupt {
    pub(super) const ALL: [Self; 3] = [Self::Int, Self::Term, Self::Kill];

    fn word(self) -> &'static str {
        match self {
            Self::Int => "SIGINT",
            Self::Term => "SIGTERM",
            Self::Kill => "SIGKILL",
        }
    }
}

pub(super) fn check(tools: &Tools<'_>, agent: Agent, interrupt: Interrupt, trial: usize) -> Checks {
    let name = format!("{} {} {trial}", agent.provider(), interrupt.word());
    checks_of(&name, || {
        let mut stage = tools.stage(&name.replace(' ', "-"))?;
        stage.interrupt(interrupt);
        add_hostile_files(&mut stage);
        let call = json!({"wanted": {"offered": "Bash"}, "arguments": {"command": COMMAND}});
        let seen = stage.run_workflow(&workflow(agent), json!({"turns": [{"calls": [call]}]}))?;
        Ok(vec![
            (format!("{name}: nothing is left"), judge_nothing_left(&seen, interrupt)),
            (format!("{name}: no file is changed"), seen.judge_files()),
        ])
    })
}

fn judge_nothing_left(seen: &Seen, interrupt: Interrupt) -> Result<()> {
    let outcome = &seen.outcome;
    ensure!(outcome.left.is_empty(), "left after 5 s: {:?}", outcome.left);
    let files: Vec<_> = outcome.files.iter().filter(|name| name.starts_with("awf")).collect();
    ensure!(files.is_empty(), "files are left: {files:?}");
    ensure!(outcome.ended_ms < 10_000, "it took {} ms to end", outcome.ended_ms);
    let wanted = match interrupt {
        Interrupt::Int | Interrupt::Term => Some(130),
        Interrupt::Kill => None,
    };
    ensure!(outcome.code == wanted, "exit {:?}: {}", outcome.code, seen.last_words());
    Ok(())
}
