//! What a state does: which kind it is, and what that kind cannot do without.

use awf_core::{
    CallState, Code, CommandSource, CustomState, Diagnostic, Limit, Located, Loop, LoopOver,
    OperationState, Parallel, StateKind, Terminal, Text, Tree,
};

use crate::{
    reader::{Field, Findings},
    workflow::{
        meant::{agent, located, nothing},
        typed::{Bound, End, StateTyped, TypeTyped, TypeWord},
    },
};

/// Iterations of a loop at most.
const MOST_ITERATIONS: u64 = 10_000;

/// Which kind the state is: `type` says, and an `agent` block makes a step an agent's.
pub(super) fn decide(typed: &StateTyped, findings: &mut Findings<'_>) -> Option<TypeWord> {
    let has_agent = typed.agent.key().is_some();
    match &typed.kind {
        Field::Given(_, TypeTyped { word: TypeWord::Command, .. }) | Field::Absent if has_agent => {
            Some(TypeWord::Agent)
        }
        Field::Given(_, typed) => Some(typed.word),
        Field::Bad(_) => None,
        Field::Absent => {
            findings.missing_or("type", &format!("add `type: {}`", likely(typed)));
            None
        }
    }
}

/// What a state without `type` was most likely meant to be.
fn likely(typed: &StateTyped) -> &'static str {
    let signs = [
        (typed.command.key().or(typed.script_file.key()), "step"),
        (typed.provider.key().or(typed.prompt.key()), "agent"),
        (typed.parallel.key(), "parallel"),
        (typed.items.key(), "for_each"),
        (typed.condition.key(), "while"),
        (typed.operation.key(), "operation"),
        (typed.workflow.key(), "call_workflow"),
        (typed.status.key().or(typed.message.key()), "terminal"),
    ];
    signs.into_iter().find_map(|(key, word)| key.map(|_| word)).unwrap_or("step")
}

/// The state's work. What is missing is told, and the least that can stand in its place is taken.
pub(super) fn kind(kind: TypeWord, typed: StateTyped, findings: &mut Findings<'_>) -> StateKind {
    match kind {
        TypeWord::Command => StateKind::Command(command(typed, findings)),
        TypeWord::Agent => StateKind::Agent(Box::new(agent::agent(typed, findings))),
        TypeWord::Parallel => StateKind::Parallel(parallel(typed, findings)),
        TypeWord::ForEach | TypeWord::While => {
            StateKind::Loop(Box::new(cycle(kind, typed, findings)))
        }
        TypeWord::Operation => StateKind::Operation(operation(typed, findings)),
        TypeWord::Custom => StateKind::Custom(CustomState {
            step_type: custom_type(typed.kind, findings),
            config: located(typed.config, findings),
        }),
        TypeWord::Call => StateKind::Call(CallState {
            workflow: name("workflow", typed.workflow, findings),
            inputs: located(typed.inputs, findings),
            outputs: located(typed.outputs, findings),
        }),
        TypeWord::Terminal => StateKind::Terminal(Terminal {
            success: typed.status.given().is_none_or(|status| status.0 == End::Success),
            message: typed.message.given(),
        }),
    }
}

fn command(typed: StateTyped, findings: &mut Findings<'_>) -> CommandSource {
    either(("command", typed.command), ("script_file", typed.script_file), findings).map_or_else(
        || CommandSource::Inline(nothing(findings)),
        |either| match either {
            Either::One(text) => CommandSource::Inline(text),
            Either::Other(text) => CommandSource::Script(text),
        },
    )
}

/// One of two keys that exclude each other.
pub(super) enum Either {
    One(Text),
    Other(Text),
}

/// Exactly one of two keys; `None` after saying what is wrong.
pub(super) fn either(
    (one, first): (&str, Field<Text>),
    (other, second): (&str, Field<Text>),
    findings: &mut Findings<'_>,
) -> Option<Either> {
    match (first, second) {
        (Field::Absent, Field::Absent) => {
            findings.missing_or(one, &format!("add `{one}` or `{other}`"));
            None
        }
        (Field::Given(_, text), Field::Absent) => Some(Either::One(text)),
        (Field::Absent, Field::Given(_, text)) => Some(Either::Other(text)),
        (Field::Bad(_), Field::Absent) | (Field::Absent, Field::Bad(_)) => None,
        (Field::Given(..) | Field::Bad(_), Field::Given(place, _) | Field::Bad(place)) => {
            let message = format!("{} has both `{one}` and `{other}`", findings.subject());
            findings.say(Code::ConflictingFields, place, message);
            None
        }
    }
}

fn parallel(typed: StateTyped, findings: &mut Findings<'_>) -> Parallel {
    let max_concurrent = typed.max_concurrent.given().and_then(|most| {
        let number = usize::try_from(most.value);
        if number.is_err() {
            let message =
                format!("`max_concurrent` is {}, which is no number of states", most.value);
            let finding = Diagnostic::new(Code::ParseInvalidValue, message);
            findings.add_at(finding.hinting("use 1 or more; 0 is all of them"), most.span);
        }
        number.ok().filter(|number| *number > 0)
    });
    Parallel {
        branches: names("parallel", typed.parallel, findings),
        strategy: typed.strategy.given().map(|strategy| strategy.0).unwrap_or_default(),
        max_concurrent,
    }
}

fn cycle(kind: TypeWord, typed: StateTyped, findings: &mut Findings<'_>) -> Loop {
    let over = if kind == TypeWord::While {
        LoopOver::Condition(text("while", typed.condition, findings))
    } else {
        LoopOver::Items(match typed.items {
            Field::Given(_, items) => items.0,
            Field::Absent => {
                findings.missing("items");
                Tree::Text(nothing(findings))
            }
            Field::Bad(_) => Tree::Text(nothing(findings)),
        })
    };
    Loop {
        over,
        body: names("body", typed.body, findings),
        max_iterations: typed.max_iterations.given().and_then(|bound| limit(bound, findings)),
        break_when: typed.break_when.given(),
        on_complete: typed.on_complete.given(),
    }
}

fn limit(bound: Bound, findings: &mut Findings<'_>) -> Option<Limit> {
    let fixed = match bound {
        Bound::Computed(text) => return Some(Limit::Computed(text)),
        Bound::Fixed(fixed) => fixed,
    };
    let number = u64::try_from(fixed.value).ok().filter(|number| *number <= MOST_ITERATIONS);
    match number {
        // As by default.
        Some(0) => None,
        Some(value) => Some(Limit::Fixed(Located { value, span: fixed.span })),
        None => {
            let message = format!(
                "`max_iterations` is {}, which is not between 0 and {MOST_ITERATIONS}",
                fixed.value
            );
            let hint = format!("use 1 to {MOST_ITERATIONS}; 0 is the default of 100");
            findings.add_at(Diagnostic::new(Code::InvalidLoop, message).hinting(hint), fixed.span);
            None
        }
    }
}

fn operation(typed: StateTyped, findings: &mut Findings<'_>) -> OperationState {
    if let (Some(_), Some(place)) = (typed.inputs.key(), typed.operation_inputs.key()) {
        let message = format!("{} has both `inputs` and `operation_inputs`", findings.subject());
        findings.say(Code::ConflictingFields, place, message);
    }
    let operation = name("operation", typed.operation, findings);
    let mut inputs = located(typed.inputs, findings);
    inputs.extend(located(typed.operation_inputs, findings));
    OperationState { operation, inputs }
}

/// The state is of such a type only because it says one.
fn custom_type(field: Field<TypeTyped>, findings: &Findings<'_>) -> Located<String> {
    let span = findings.span(findings.subject_place());
    field.given().map_or_else(|| Located { value: String::new(), span }, |typed| typed.name)
}

fn text(key: &str, field: Field<Text>, findings: &mut Findings<'_>) -> Text {
    if matches!(field, Field::Absent) {
        findings.missing(key);
    }
    field.given().unwrap_or_else(|| nothing(findings))
}

fn name(key: &str, field: Field<Located<String>>, findings: &mut Findings<'_>) -> Located<String> {
    if matches!(field, Field::Absent) {
        findings.missing(key);
    }
    let span = findings.span(findings.subject_place());
    field.given().unwrap_or_else(|| Located { value: String::new(), span })
}

fn names(
    key: &str,
    field: Field<Vec<Located<String>>>,
    findings: &mut Findings<'_>,
) -> Vec<Located<String>> {
    let key_place = field.key();
    let names = field.given();
    match (key_place, &names) {
        (None, _) => findings.missing(key),
        (Some(place), Some(names)) if names.is_empty() => {
            let message = format!("`{key}` names no states");
            findings.hint(Code::MissingField, place, message, "list at least one state");
        }
        (Some(_), _) => {}
    }
    names.unwrap_or_default()
}
