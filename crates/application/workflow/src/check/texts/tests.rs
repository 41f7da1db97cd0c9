//! Templates and expressions that do not parse, each at its place.

use awf_core::{CommandSource, Hook, Limit, PromptSource, StateKind, Terminal, Tree, Workflow};

use crate::built::{
    Leading, agent_with, call, command, end, for_each, loop_of, name, operation, span, state, step,
    text, told, tree, while_loop, workflow,
};

/// A template that is not closed. Those of different numbers stand at different places, so each is told.
fn broken(number: usize) -> String {
    format!("{}{{{{", " ".repeat(number))
}

fn codes(workflow: &Workflow) -> Vec<String> {
    let lines = told(workflow).into_iter();
    lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn a_template_is_parsed_wherever_it_stands() {
    let [one, two, three] = [1, 2, 3].map(broken);
    let mut hooked = step("s");
    hooked.hooks.pre = vec![Hook::Log(text(&one))];
    hooked.hooks.post = vec![Hook::Command(text(&two))];
    let mut placed = step("s");
    placed.dir = Some(text(&one));
    placed.env = vec![(name("A"), text(&two))];
    let asked = agent_with("s", |agent| {
        agent.system_prompt = Some(text(&one));
        agent.options = vec![(name("model"), tree(&two))];
        agent.tools.roots = vec![text(&three)];
    });
    let told = agent_with("s", |agent| {
        agent.provider = text(&one);
        agent.prompt = PromptSource::File(text(&two));
    });
    let mut operating = operation("s", "p.o");
    if let StateKind::Operation(operation) = &mut operating.kind {
        let nested = Tree::Map(vec![(name("y"), tree(&two))], span(1));
        operation.inputs =
            vec![(name("x"), tree(&one)), (name("z"), Tree::List(vec![nested], span(1)))];
    }
    let last = Terminal { success: false, message: Some(text(&one)) };
    let rows = [
        (command("s", &one), 1),
        (state("s", StateKind::Command(CommandSource::Script(text(&one)))), 1),
        (hooked, 2),
        (placed, 2),
        (asked, 3),
        (told, 2),
        (operating, 2),
        (call("s", "other", &[("x", &one)]), 1),
        (for_each("s", &one, &["s"]), 1),
        (state("s", StateKind::Terminal(last)), 1),
        (step("s").ending(&one), 1),
    ];
    for (state, expected) in rows {
        let codes = codes(&workflow([state.clone()]));
        let found = codes.iter().filter(|code| *code == "INVALID_TEMPLATE").count();
        assert_eq!(found, expected, "{state:?}");
    }
}

#[test]
fn an_expression_is_parsed_at_load() {
    let mut limited = for_each("s", "a", &["t"]);
    loop_of(&mut limited).break_when = Some(text("1 +"));
    loop_of(&mut limited).max_iterations = Some(Limit::Computed(text("(")));
    for state in [limited, while_loop("s", "a ==", &["t"]), step("s").when("&& true", "t")] {
        let codes = codes(&workflow([state.clone(), end("t")]));
        assert!(codes.contains(&"INVALID_EXPRESSION".to_owned()), "{state:?}: {codes:?}");
    }
}

#[test]
fn hooks_of_the_run_and_messages_are_parsed_too() {
    let mut workflow = workflow([step("s")]);
    workflow.hooks.end = vec![Hook::Log(text("{{"))];
    assert_eq!(codes(&workflow), ["INVALID_TEMPLATE"]);
}

#[test]
fn the_place_is_that_of_the_fault() {
    let found = told(&workflow([command("s", "echo ok; echo {{.inputs.x")]));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("INVALID_TEMPLATE 15-"), "{found:?}");
}

#[test]
fn one_fault_does_not_hide_the_others() {
    let codes = |text: &str| codes(&workflow([command("s", text)]));
    let (template, reference) = ("INVALID_TEMPLATE", "UNDEFINED_REFERENCE");
    assert_eq!(codes("{{esacpe 1}} {{.inputs.x}} {{nope 1}}"), [template, reference, template]);
    // What follows from a fault is not told.
    assert_eq!(codes("{{if esacpe 1}} {{.inputs.x}} {{end}}"), [template]);
    assert_eq!(codes("{{$x := esacpe 1}} {{$x}}"), [template]);
    assert_eq!(codes(&"{{nope 1}} ".repeat(50)).len(), 5);
}
