//! What templates and expressions mention.

use awf_core::{Hook, OutputFormat, State, Workflow};

use crate::built::{
    Leading, agent_with, command, end, for_each, input, loop_of, name, parallel, step, text, told,
    while_loop, workflow,
};

fn undefined(workflow: &Workflow) -> Vec<String> {
    let lines = told(workflow).into_iter();
    lines.filter_map(|line| Some(line.strip_prefix("UNDEFINED_REFERENCE ")?.to_owned())).collect()
}

/// A workflow with an input `count`, a state `build` that keeps its output as `log`, and one more command.
fn with_command(text: &str) -> Workflow {
    let mut build = step("build").to("use");
    build.capture.stdout = Some(name("log"));
    let mut workflow = workflow([build, command("use", text)]);
    workflow.inputs = vec![input("count")];
    workflow
}

#[test]
fn what_exists_may_be_named() {
    for text in [
        "{{escape .inputs.count}} {{escape inputs.count}}",
        "{{.states.build.Output}} {{states.build.ExitCode}} {{.states.build.Status}}",
        "{{.states.build.Response.deep.value}}",
        "{{.states.build.TokensUsed}} {{.states.build.TokensEstimated}} {{.states.build.Stderr}}",
        "{{.workflow.ID}} {{.workflow.Name}} {{.workflow.CurrentState}} {{.workflow.StartedAt}}",
        "{{.context.WorkingDir}} {{context.working_dir}} {{context.user}} {{.context.Hostname}}",
        "{{.awf.prompts_dir}} {{awf.scripts_dir}} {{.awf.pack_name}}",
        "{{.env.HOME}} {{env.ANYTHING_AT_ALL}} {{.captured.log}}",
        "{{if eq (escape .inputs.count) \"1\"}}one{{else}}more{{end}}",
        "{{json .states}} {{len .env}}",
        "{{range split .states.build.Output \",\"}}{{.}}{{end}}",
        "{{with $x := .states.build.Output}}{{$x}}{{end}}",
    ] {
        assert_eq!(undefined(&with_command(text)), [""; 0], "{text}");
    }
}

#[test]
fn what_does_not_exist_is_told_with_the_nearest_name() {
    for (text, expected) in [
        ("{{.inputs.cuont}}", "input `cuont` is not declared | did you mean `count`?"),
        ("{{.states.biuld.Output}}", "state `biuld` does not exist | did you mean `build`?"),
        ("{{.states.build.output}}", "`states.build` has no `output` | did you mean `Output`?"),
        (
            "{{.states.build.Zzz}}",
            "`states.build` has no `Zzz` | it has Output, Stderr, ExitCode, Status, Response, JSON, \
             TokensUsed, TokensInput, TokensOutput, TokensEstimated",
        ),
        (
            "{{.states.build.JSON.x}}",
            "`states.build` has no `JSON` | it is what an agent with `output_format: json` answers",
        ),
        ("{{.workflow.Id}}", "`workflow` has no `Id` | did you mean `ID`?"),
        ("{{.context.WorkDir}}", "`context` has no `WorkDir` | did you mean `WorkingDir`?"),
        ("{{.awf.prompt_dir}}", "`awf` has no `prompt_dir` | did you mean `prompts_dir`?"),
        ("{{.captured.logg}}", "captured output `logg` is not declared | did you mean `log`?"),
        ("{{.input.count}}", "`input` is not known | did you mean `inputs`?"),
        ("{{.count}}", "`count` is not known | write `inputs.count` for the input"),
        (
            "{{.loop.Item}}",
            "`loop` is known only within a loop | use it in a state of a loop's `body`",
        ),
        (
            "{{.error.Message}}",
            "`error` is known only in a `workflow_error` hook | name the state that may fail: \
             `states.<name>.Stderr`, `states.<name>.ExitCode`",
        ),
    ] {
        let found = undefined(&with_command(text));
        let found: Vec<&str> =
            found.iter().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn the_place_is_that_of_the_reference() {
    let found = undefined(&with_command("echo {{ .inputs.cuont }}"));
    assert!(found[0].starts_with("9-22 "), "{found:?}");
}

#[test]
fn expressions_know_the_same_names() {
    for (condition, expected) in [
        ("inputs.count == 1 and states.s.ExitCode == 0", 0),
        ("env.CI == 'true'", 0),
        ("inputs.cuont == 1", 1),
        ("states.t.Ouput contains 'x'", 1),
        ("states.nobody.Output == ''", 1),
    ] {
        let mut workflow = workflow([step("s").when(condition, "t"), end("t")]);
        workflow.inputs = vec![input("count")];
        assert_eq!(undefined(&workflow).len(), expected, "{condition}");
    }
}

const ALL_OF_LOOP: &str = "{{.loop.Index}} {{.loop.Item.any.thing}} {{.loop.Parent.Parent.Index1}} {{loop.Last}} \
     {{.loop.First}} {{.loop.Length}}";

#[test]
fn a_loop_is_known_in_its_body_and_all_beneath() {
    let nested: [State; 4] = [
        for_each("each", "a", &["both"]),
        parallel("both", &["inner"]),
        for_each("inner", "{{.loop.Item}}", &["leaf"]),
        command("leaf", ALL_OF_LOOP),
    ];
    assert_eq!(undefined(&workflow(nested)), [""; 0]);
    let mut own = while_loop("again", "loop.Index < 3", &["leaf"]);
    loop_of(&mut own).break_when = Some(text("loop.Index1 == 2"));
    assert_eq!(undefined(&workflow([own, command("leaf", ALL_OF_LOOP)])), [""; 0]);
}

#[test]
fn a_loop_is_not_known_after_it_or_before_it() {
    let after = for_each("each", "{{.loop.Item}}", &["leaf"]).when("loop.Last", "leaf");
    assert_eq!(undefined(&workflow([after, step("leaf")])).len(), 2);
    let misspelt = [for_each("each", "a", &["leaf"]), command("leaf", "{{.loop.Parent.Idx}}")];
    assert_eq!(
        undefined(&workflow(misspelt)),
        ["3-19 `loop` has no `Idx` | did you mean `Index`?"]
    );
}

#[test]
fn an_error_is_known_in_its_hook_and_nowhere_else() {
    let mut workflow = workflow([step("s").ending("{{.error.Message}}")]);
    workflow.hooks.error = vec![Hook::Log(text("{{.error.State}} {{.error.ExitCode}}"))];
    workflow.hooks.end = vec![Hook::Log(text("  {{.error.State}}"))];
    let places: Vec<String> = undefined(&workflow)
        .iter()
        .filter_map(|line| Some(line.split_once(' ')?.0.to_owned()))
        .collect();
    assert_eq!(places, ["3-17", "5-17"]);
    workflow.hooks.error = vec![Hook::Log(text("{{.error.Code}}"))];
    assert_eq!(undefined(&workflow).len(), 3);
}

#[test]
fn only_an_agent_that_answers_with_json_has_json() {
    let after = |format: OutputFormat| {
        let ask = agent_with("ask", |agent| agent.output_format = format);
        undefined(&workflow([ask.to("use"), command("use", "{{escape .states.ask.JSON.n}}")]))
    };
    assert_eq!(after(OutputFormat::Json), [""; 0]);
    assert_eq!(after(OutputFormat::Raw).len(), 1);
    assert_eq!(after(OutputFormat::Text).len(), 1);
}
