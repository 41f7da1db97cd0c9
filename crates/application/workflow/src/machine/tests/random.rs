//! Workflows and worlds by dice: what must hold whatever is written and whatever happens.

use std::time::Duration;

use awf_core::{Hook, Limit, ResumeFrom, RunEvent, State, StateKind, TaskId, Workflow};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    build::{
        Ways as _, call, command, during, each, name, parallel, retry, terminal, text, workflow,
    },
    world::{World, bad, cancelled, good, usual, value},
};
use crate::{
    machine::{Question, RunState, Task, TaskKind, interrupted, step},
    program::Program,
};

const NAMES: [&str; 7] = ["s0", "s1", "s2", "s3", "s4", "s5", "nowhere"];
/// A run that goes in circles is told to stop after this many answers.
const PATIENCE: usize = 150;

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn some_names() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(any_name(), 0..4)
}

fn any_kind() -> impl Strategy<Value = State> {
    let strategies = [
        awf_core::Strategy::AllSucceed,
        awf_core::Strategy::AnySucceed,
        awf_core::Strategy::BestEffort,
    ];
    prop_oneof![
        4 => Just(command("")),
        2 => (some_names(), prop::sample::select(strategies.to_vec()), 0_usize..3).prop_map(
            |(branches, strategy, most)| {
                let mut state = parallel("", &branches, strategy);
                if let StateKind::Parallel(parallel) = &mut state.kind {
                    parallel.max_concurrent = (most > 0).then_some(most);
                }
                state
            }
        ),
        1 => (some_names(), any::<bool>()).prop_map(|(body, breaks)| {
            let mut state = each("", &body);
            if let StateKind::Loop(cycle) = &mut state.kind {
                cycle.break_when = breaks.then(|| text("x"));
                cycle.max_iterations = breaks.then(|| Limit::Computed(text("x")));
            }
            state
        }),
        1 => (some_names(), 0_u64..4).prop_map(|(body, limit)| during("", &body, limit)),
        1 => prop::sample::select(vec!["self", "other", "missing"])
            .prop_map(|called| call("", called, &[("s0", "x"), ("s1.Status", "y")])),
        1 => any::<bool>().prop_map(|success| terminal("", success)),
    ]
}

fn any_state() -> impl Strategy<Value = State> {
    (
        any_kind(),
        prop::option::of(any_name()),
        prop::option::of(any_name()),
        prop::collection::vec(any_name(), 0..2),
        any::<bool>(),
        (0_u8..8, 1_u32..4),
    )
        .prop_map(|(mut state, success, failure, ways, anyway, (extras, attempts))| {
            state.on_success = success.map(name);
            if let Some(failure) = failure {
                state = state.fails_to(failure);
            }
            for way in ways {
                state = state.or_when(way);
            }
            if anyway {
                state = state.anyway();
            }
            if extras & 1 == 1 {
                state = state.tried(retry(attempts, &[]));
            }
            if extras & 2 == 2 {
                state = state.within(Duration::from_secs(1));
            }
            if extras & 4 == 4 {
                state.hooks.pre = vec![Hook::Log(text("x"))];
                state.hooks.post = vec![Hook::Command(text("x"))];
            }
            state
        })
}

fn any_workflow() -> impl Strategy<Value = Workflow> {
    (prop::collection::vec(any_state(), 1..6), any::<bool>()).prop_map(|(states, hooked)| {
        let named = |(at, state): (usize, State)| State { name: name(NAMES[at]), ..state };
        let mut workflow = workflow(states.into_iter().enumerate().map(named).collect());
        if hooked {
            workflow.hooks.start = vec![Hook::Command(text("x"))];
            workflow.hooks.end = vec![Hook::Log(text("x")), Hook::Command(text("x"))];
            workflow.hooks.error = vec![Hook::Command(text("x"))];
            workflow.hooks.cancel = vec![Hook::Command(text("x")), Hook::Log(text("x"))];
        }
        workflow
    })
}

fn any_program() -> impl Strategy<Value = Program> {
    (any_workflow(), any_workflow()).prop_map(|(root, other)| {
        let called = [("self".to_owned(), root.clone()), ("other".to_owned(), other)];
        Program::new(root, called)
    })
}

/// Numbers for the dice, used in order, then 0 for ever.
struct Dice(std::vec::IntoIter<u16>);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        usize::from(self.0.next().unwrap_or_default()) % sides
    }

    fn answer(&mut self, world: &World<'_>, task: &Task) -> awf_core::TaskOutcome {
        if world.cancelled.contains(&task.id) {
            return if self.roll(4) == 3 { usual(task) } else { cancelled(task) };
        }
        match task.kind {
            TaskKind::Step | TaskKind::Hook(..) => match self.roll(5) {
                0..=2 => good(),
                3 => bad(1),
                _ => bad(124),
            },
            TaskKind::Wait(_) | TaskKind::Timer(_) => usual(task),
            TaskKind::Evaluate(_) if self.roll(8) == 7 => {
                awf_core::TaskOutcome::Failed(awf_core::StepError {
                    code: awf_core::Code::TemplateFailed,
                    message: "no".to_owned(),
                })
            }
            TaskKind::Evaluate(question) => value(self.value(question)),
        }
    }

    fn value(&mut self, question: Question) -> Value {
        match question {
            Question::Transition => [json!(null), json!(0), json!(9)][self.roll(3)].clone(),
            Question::Items => json!(vec!["x"; self.roll(4)]),
            Question::Limit => {
                [json!(0), json!(2), json!(20_000), json!("x")][self.roll(4)].clone()
            }
            Question::Condition | Question::Break => json!(self.roll(2) == 1),
            Question::CallInputs => json!({}),
            Question::Message => json!("said"),
        }
    }

    /// Ends one task after the other until the run is over.
    fn play(&mut self, world: &mut World<'_>) {
        for turn in 0.. {
            assert_concurrency(world);
            if turn == PATIENCE {
                world.stop();
            }
            let ids: Vec<TaskId> = world.out.keys().copied().collect();
            let Some(task) = ids.get(self.roll(ids.len().max(1))) else { break };
            let outcome = self.answer(world, &world.out[task]);
            world.end(*task, outcome);
        }
    }
}

/// Steps directly beneath a parallel state are never more than it permits. Attempts wait with tasks too.
fn assert_concurrency(world: &World<'_>) {
    for state in &world.program.root().states {
        let StateKind::Parallel(parallel) = &state.kind else { continue };
        let Some(most) = parallel.max_concurrent else { continue };
        let prefix = format!("{}.", state.name.value);
        let beneath = world.out.values().filter(|task| {
            task.kind == TaskKind::Step
                && task
                    .step
                    .strip_prefix(&prefix)
                    .is_some_and(|rest| !rest.contains(['.', '[', '/']))
        });
        assert!(beneath.count() <= most, "more than {most} at once in {prefix}");
    }
}

fn config() -> ProptestConfig {
    #[expect(clippy::disallowed_methods, reason = "the soak run is asked for by the environment")]
    let soak = std::env::var_os("AWF_SOAK").is_some();
    let mut config = ProptestConfig::with_cases(if soak { 5_000 } else { 200 });
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(config())]

    /// Nothing panics, every task ends once, ids grow, the run ends once (all asserted by the world), and folding the
    /// journal gives the same state.
    #[test]
    fn every_run_comes_to_one_end(program in any_program(), dice in prop::collection::vec(any::<u16>(), 0..400)) {
        let mut world = World::new(&program);
        world.begin();
        Dice(dice.into_iter()).play(&mut world);
        prop_assert!(world.finish.is_some(), "stuck: {:?}", world.state);
        let replayed = World::replayed(&program, &world.events);
        prop_assert_eq!(&replayed.state, &world.state);
    }

    /// A run cut off anywhere and folded again goes on, and comes to an end, and nothing that ended begins again.
    #[test]
    fn a_run_goes_on_from_any_point(
        program in any_program(),
        dice in prop::collection::vec(any::<u16>(), 0..400),
        cut in any::<prop::sample::Index>(),
        more in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let mut world = World::new(&program);
        world.begin();
        Dice(dice.into_iter()).play(&mut world);
        let at = 1 + cut.index(world.events.len());
        let events = &world.events[..at];
        let mut second = World::replayed(&program, events);
        if !over(events) {
            let lost = interrupted(&program, &second.state).len();
            second.resume(if lost == 0 { ResumeFrom::Here } else { ResumeFrom::Again });
            Dice(more.into_iter()).play(&mut second);
            prop_assert!(second.finish.is_some(), "stuck: {:?}", second.state);
        }
    }

    /// The same event gives the same commands whether the state was lived or folded.
    #[test]
    fn a_folded_state_commands_the_same(program in any_program(), dice in prop::collection::vec(any::<u16>(), 0..200)) {
        let mut world = World::new(&program);
        world.begin();
        Dice(dice.into_iter()).play(&mut world);
        let mut once = RunState::new(serde_json::Map::new());
        let mut asked = Vec::new();
        for event in &world.events {
            let (state, commands) = step(&program, once, event);
            once = state;
            asked.extend(commands.into_iter().filter_map(|command| match command {
                crate::machine::Command::Begin(task) => Some(task),
                _ => None,
            }));
        }
        prop_assert_eq!(&asked, &world.begun);
    }
}

fn over(events: &[RunEvent]) -> bool {
    let cancelled = events.iter().any(|event| matches!(event, RunEvent::Cancelled { .. }));
    matches!(events.last(), Some(RunEvent::Finished(_))) && !cancelled
}
