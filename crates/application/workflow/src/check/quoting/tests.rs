//! Words of others that reach a shell.

use awf_core::{Hook, InputType, Workflow};

use crate::built::{
    Leading, agent, command, for_each, input, name, parallel, span, step, text, told, while_loop,
    workflow,
};

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
        "{{$which := \"branch\"}}echo {{index .inputs $which}}",
    ] {
        let found = unquoted(&with_command(text));
        assert!(
            found.len() == 1 && found[0].contains("one of the inputs reaches the shell"),
            "{text} {found:?}"
        );
    }
    let quoted = "{{range .inputs}}echo {{escape .}};{{end}}";
    assert_eq!(unquoted(&with_command(quoted)), [""; 0]);
}

#[test]
fn a_shorter_name_for_a_value_hides_nothing() {
    for text in [
        "{{with .inputs}}echo {{.branch}}{{end}}",
        "{{$all := .inputs}}echo {{$all.branch}}",
        "{{with .states.ask}}echo {{.ExitCode}} {{.Output}}{{end}}",
        "{{$ask := .states.ask}}echo {{$ask.JSON.a}}",
    ] {
        assert_eq!(unquoted(&with_command(text)).len(), 1, "{text}");
    }
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

#[test]
fn quotes_around_an_escaped_input_undo_it() {
    for (text, place) in [
        ("echo \"hi {{escape .inputs.branch}}\"", "in double quotes"),
        ("echo 'hi {{escape .inputs.branch}}'", "in single quotes"),
        ("echo `git show {{escape .inputs.branch}}`", "in backticks"),
        ("cat <<E\n{{escape .inputs.branch}}\nE", "in a here-document"),
        ("echo \"{{if .inputs.count}}{{escape .inputs.branch}}{{end}}\"", "in double quotes"),
    ] {
        let found = unquoted(&with_command(text));
        let (_, said) = found[0].split_once(' ').unwrap();
        let expected = format!(
            "input `branch` is escaped {place}, where that does not hold | write `{{{{escape \
             .inputs.branch}}}}` outside of quotes, or use the variable `\"$branch\"`"
        );
        assert_eq!((found.len(), said), (1, expected.as_str()), "{text}");
    }
    for text in [
        "--name={{escape .inputs.branch}}",
        "echo \"it's {{.inputs.count}}\" {{escape .inputs.branch}}",
        "x=\"$(git show {{escape .inputs.branch}})\"",
        "echo \"{{len .inputs.branch}} {{eq .inputs.branch \"a\"}}\"",
    ] {
        assert_eq!(unquoted(&with_command(text)), [""; 0], "{text}");
    }
}

#[test]
fn an_unquoted_input_is_told_to_leave_its_quotes() {
    assert_eq!(
        unquoted(&with_command("echo '{{.states.ask.Output}}'")),
        ["7-29 the answer of agent `ask` reaches the shell unquoted | write `{{escape \
          .states.ask.Output}}` outside of quotes"]
    );
}

#[test]
fn items_of_a_loop_are_words_of_whoever_gave_them() {
    let over = |items: &str, text: &str| {
        let mut workflow = with_command("true");
        workflow.states[1].on_success = Some(name("outer"));
        workflow.states.extend([
            for_each("outer", items, &["both"]),
            parallel("both", &["inner", "direct"]),
            for_each("inner", "a,b", &["leaf"]),
            command("leaf", &text.replace("LOOP", "loop.Parent")),
            command("direct", &text.replace("LOOP", "loop")),
        ]);
        unquoted(&workflow)
    };
    for items in
        ["{{.inputs.branch}}", "{{split .states.ask.Output \",\"}}", "a,{{.inputs.branch}}"]
    {
        let found = over(items, "echo {{.LOOP.Item}}");
        assert_eq!(found.len(), 2, "{items}");
        let said = "the item of loop `outer` reaches the shell unquoted | write `{{escape .loop.";
        assert!(found.iter().all(|line| line.contains(said)), "{found:?}");
    }
    for (items, text) in [
        ("{{.inputs.branch}}", "echo {{escape .LOOP.Item}} {{.LOOP.Index}}"),
        ("{{.inputs.target}} {{len .inputs.branch}}", "echo {{.LOOP.Item}}"),
        ("a,b", "echo {{.LOOP.Item}}"),
    ] {
        assert_eq!(over(items, text), [""; 0], "{items} {text}");
    }
}

#[test]
fn items_pass_from_loop_to_loop_and_a_circle_ends() {
    let mut workflow = workflow([
        for_each("outer", "{{.inputs.branch}}", &["inner"]),
        for_each("inner", "{{.loop.Item}}", &["leaf"]),
        command("leaf", "echo {{.loop.Item}}"),
        for_each("odd", "{{.loop.Item}}", &["odd", "again"]),
        command("again", "echo {{.loop.Item}} {{.loop.Parent.Parent.Item}}"),
        while_loop("poll", "true", &["polled"]),
        command("polled", "echo {{.loop.Item}}"),
    ]);
    workflow.inputs = vec![input("branch")];
    let found = unquoted(&workflow);
    assert!(found.len() == 1 && found[0].contains("loop `inner`"), "{found:?}");
}

#[test]
fn what_failed_may_say_anything() {
    let mut workflow = workflow([step("a")]);
    workflow.hooks.error = vec![
        Hook::Command(text("notify {{.error.Message}}")),
        Hook::Command(text("notify {{escape .error.Message}} {{.error.ExitCode}}")),
        Hook::Log(text("{{.error.Message}}")),
    ];
    assert_eq!(
        unquoted(&workflow),
        [
            "8-26 the message of an error reaches the shell unquoted | write `{{escape .error.Message}}`"
        ]
    );
}

#[test]
fn what_is_captured_of_an_agent_is_its_answer() {
    let mut workflow = with_command("echo {{.captured.said}} {{.states.ask.Stderr}}");
    workflow.states[0].capture.stdout = Some(name("said"));
    assert_eq!(unquoted(&workflow).len(), 2);
}

#[test]
fn a_secret_stays_out_of_commands() {
    let with = |own: &str| {
        let mut workflow = workflow([command("a", &format!("login {{{{escape .inputs.{own}}}}}"))]);
        let mut secret = input(own);
        secret.secret = true;
        secret.kind = InputType::Integer;
        workflow.inputs = vec![secret];
        unquoted(&workflow)
    };
    let told = "7-31 secret input `token` becomes part of a command, which other programs can see";
    assert_eq!(with("token"), [format!("{told} | use the variable `\"$token\"`")]);
    assert!(with("to-ken")[0].contains("give it a name that a shell can read"));
}
