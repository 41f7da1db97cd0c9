//! Words of others that reach a shell.

use awf_core::{Hook, InputType, Workflow};

use crate::built::{Leading, agent, command, input, name, span, step, text, told, workflow};

fn unquoted(workflow: &Workflow) -> Vec<String> {
    let lines = told(workflow).into_iter();
    lines.filter_map(|line| Some(line.strip_prefix("UNQUOTED_INPUT ")?.to_owned())).collect()
}

fn with_command(text: &str) -> Workflow {
    let mut workflow = workflow([agent("ask", "go").to("run"), command("run", text)]);
    let mut number = input("count");
    number.kind = InputType::Integer;
    let mut chosen = input("target");
    chosen.rules.one_of = Some(awf_core::Located { value: vec!["dev".to_owned()], span: span(1) });
    let mut ticket = input("ticket");
    ticket.rules.pattern = Some(name("^[A-Z]+-[0-9]+$"));
    workflow.inputs = vec![input("branch"), number, chosen, ticket];
    workflow
}

#[test]
fn an_input_in_a_command_must_be_quoted() {
    assert_eq!(
        unquoted(&with_command("git checkout {{.inputs.branch}}")),
        [
            "14-32 input `branch` reaches the shell unquoted | write `{{escape .inputs.branch}}`, or \
          use the variable `\"$branch\"`"
        ]
    );
    assert_eq!(
        unquoted(&with_command("eval {{.states.ask.JSON.cmd}}")),
        ["6-30 the answer of agent `ask` reaches the shell unquoted | write `{{escape \
          .states.ask.JSON.cmd}}`"]
    );
}

#[test]
fn inputs_that_are_not_named_are_inputs_too() {
    for text in [
        "{{range .inputs}}echo {{.}};{{end}}",
        "echo {{json .inputs}}",
        "{{with .inputs}}echo {{.branch}}{{end}}",
        "{{$all := .inputs}}echo {{$all.branch}}",
        "{{$which := \"branch\"}}echo {{index .inputs $which}}",
    ] {
        let found = unquoted(&with_command(text));
        assert!(
            found.len() == 1 && found[0].contains("inputs reach the shell"),
            "{text} {found:?}"
        );
    }
    let quoted = "{{range .inputs}}echo {{escape .}};{{end}}";
    assert_eq!(unquoted(&with_command(quoted)), [""; 0]);
}

#[test]
fn what_can_do_no_harm_is_left_alone() {
    for text in [
        "git checkout {{escape .inputs.branch}}",
        "git checkout \"$branch\"",
        "head -n {{.inputs.count}} deploy-{{.inputs.target}}",
        "git switch {{.inputs.ticket}}",
        "test {{.states.ask.ExitCode}} = 0",
        "cd {{.context.WorkingDir}}",
    ] {
        assert_eq!(unquoted(&with_command(text)), [""; 0], "{text}");
    }
}

#[test]
fn hooks_are_shells_and_prompts_are_not() {
    let mut workflow =
        workflow([agent("ask", "look at {{.inputs.branch}}").to("next"), step("next")]);
    workflow.inputs = vec![input("branch")];
    assert_eq!(unquoted(&workflow), [""; 0]);
    workflow.hooks.start = vec![
        Hook::Log(text("on {{.inputs.branch}}")),
        Hook::Command(text("echo {{.inputs.branch}}")),
    ];
    assert_eq!(unquoted(&workflow).len(), 1);
    workflow.states[1].env = vec![(name("BRANCH"), text("{{.inputs.branch}}"))];
    assert_eq!(unquoted(&workflow).len(), 1);
}
