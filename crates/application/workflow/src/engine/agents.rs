//! Agents are looked for before anything runs: a run does not come to its third step to find that nobody can take it.

use std::collections::BTreeSet;

use awf_core::{State, StateKind, Text};

use crate::engine::{EngineError, EnginePorts, RunRequest, agent};

/// Asks for every agent the run may need, as far as their names are known now.
pub(super) fn require(ports: &EnginePorts, request: &RunRequest) -> Result<(), EngineError> {
    let mut known = BTreeSet::new();
    for (state, named) in wanted(request) {
        let provider = request.provider.as_deref().unwrap_or(&named.value);
        // What is computed is known when its step begins.
        let computed = request.provider.is_none() && provider.contains("{{");
        if computed || !known.insert(provider) {
            continue;
        }
        if let Err(failure) = (ports.agents)(provider) {
            let (state, error) = (state.name.value.clone(), agent::fault(&failure));
            return Err(EngineError::NoAgent { state, error });
        }
    }
    Ok(())
}

/// The agent states that may be run, and the agents they name.
fn wanted(request: &RunRequest) -> Vec<(&State, &Text)> {
    let root = request.program.root();
    let alone = request.only.as_deref().and_then(|only| root.state(only));
    let given = |state: &State| request.presets.iter().any(|(given, _)| *given == state.name.value);
    match alone {
        Some(state) if !state.kind.has_parts() => asked(state).into_iter().collect(),
        Some(_) | None => {
            let own = root.states.iter().filter(|state| !given(state));
            own.chain(request.program.called_states()).filter_map(asked).collect()
        }
    }
}

fn asked(state: &State) -> Option<(&State, &Text)> {
    match &state.kind {
        StateKind::Agent(agent) => Some((state, &agent.provider)),
        StateKind::Command(_)
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => None,
    }
}
