//! Agent steps of programs: a shell script plays Claude Code, reads the configuration it is given, starts the server named
//! there and speaks MCP with it. Everything else is the product.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{
    processes::{MARK, left_after, marked, wait_until},
    workflow::{Ran, Running},
    world::World,
};

/// Starts the server of `--mcp-config` and greets it; `ask` then sends a call and reads the answer.
pub(crate) const CONNECT: &str = r#"#!/bin/sh
cat > stdin.txt; echo "$*" > argv.txt; env > env.txt
while [ $# -gt 0 ] && [ "$1" != --mcp-config ]; do shift; done
desk=$(dirname "$2"); echo "$desk" > desk.txt
stat -c '%a %n' "$desk" "$desk"/* | sed "s#$desk##" | sort > modes.txt
command=$(sed 's/.*"command":"\([^"]*\)".*/\1/' "$2")
config=$(sed 's/.*"args":\["mcp-serve","--config","\([^"]*\)"\].*/\1/' "$2")
mkfifo in out; "$command" mcp-serve --config "$config" < in > out & server=$!
exec 3> in 4< out; rm in out
ask() { printf '%s\n' "$1" >&3; read -r answer <&4; printf '%s\n' "$answer" >> answers.txt; }
ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"play","version":"1"}}}'
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&3
ask '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
"#;

/// Ends the server and answers.
pub(crate) const ANSWER: &str = r#"
exec 3>&- 4<&-; wait $server
echo '{"type":"assistant","session_id":"s-1","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}'
echo '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"<tool_use_error>Error: No such tool available: Bash</tool_use_error>"}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"session_id":"s-1","result":"all done","total_cost_usd":0.25,"usage":{"input_tokens":30,"output_tokens":12},"modelUsage":{"m":{"inputTokens":30,"outputTokens":12}}}'
"#;

const READ: &str = r#"ask '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Read","arguments":{"file_path":"notes.txt"}}}'
"#;

/// A world with a `claude` first in its path.
pub(crate) struct Theatre {
    pub(crate) world: World,
    pub(crate) bin: PathBuf,
}

impl Theatre {
    pub(crate) fn new(script: &str) -> Self {
        let world = World::new();
        world.file("notes.txt", "one\ntwo\n");
        let bin = world.beside("bin");
        fs::create_dir(&bin).unwrap();
        let theatre = Self { world, bin };
        theatre.program("claude", script);
        theatre
    }

    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.bin.join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.world.command(args);
        command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", self.bin.display()));
        command.env("ANTHROPIC_API_KEY", "sk-ant-1").env("OPENAI_API_KEY", "sk-oai-1");
        command
    }

    pub(crate) fn run(&self, text: &str) -> Ran {
        self.world.workflow("w", text);
        Ran::of(&self.command(&["run", "w", "--format", "json"]).output().unwrap())
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.world.root().join(name)).unwrap()
    }
}

/// A step `ask`, with further keys.
pub(crate) fn step(keys: &str) -> String {
    format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: claude\n    prompt: PROMPT-CANARY\n    system_prompt: SYSTEM-CANARY\n    mcp_proxy: {{enable: true}}\n{keys}    on_success: done\n  done: {{type: terminal, message: \"{{{{.states.ask.Output}}}} {{{{.states.ask.TokensUsed}}}}\"}}\n"
    )
}

#[test]
fn a_program_reaches_the_steps_tools_and_leaves_nothing() {
    let theatre = Theatre::new(&format!("{CONNECT}{READ}{ANSWER}"));
    let ran = theatre.run(&step(""));
    assert_eq!((ran.code, ran.message()), (0, "all done 42"), "{} {:?}", ran.stderr, ran.end());
    // Its prompt came on standard input, its files were its own, and went with it.
    assert_eq!(theatre.read("stdin.txt"), "PROMPT-CANARY");
    let argv = theatre.read("argv.txt");
    assert!(!argv.contains("CANARY") && argv.contains("--strict-mcp-config"), "{argv}");
    assert_eq!(theatre.read("modes.txt"), "600 /mcp.json\n600 /prompt\n600 /system-prompt\n700 \n");
    let desk = theatre.read("desk.txt");
    assert!(desk.starts_with(theatre.world.home().to_str().unwrap()), "{desk}");
    assert!(!Path::new(desk.trim()).exists());
    // The key of its provider, and no other.
    let env = theatre.read("env.txt");
    assert!(env.contains("ANTHROPIC_API_KEY=sk-ant-1") && !env.contains("sk-oai-1"), "{env}");
    let answers = theatre.read("answers.txt");
    assert!(answers.contains(r"1\tone\n"), "{answers}");
    let records = theatre.world.activity();
    let [invented, read] = &records[..] else { panic!("not two records: {records:?}") };
    assert_eq!((&read["tool_name"], &read["step"]), (&"Read".into(), &"ask".into()));
    assert_eq!(read["client"]["name"], "play");
    // What it has not, and its model asked for, is on record, too: nothing happened.
    let told = (&invented["server_name"], &invented["tool_name"], &invented["status"]);
    assert_eq!(told, (&"claude".into(), &"Bash".into(), &"denied".into()));
}

#[test]
fn a_step_goes_on_with_a_session() {
    let theatre = Theatre::new(&format!("{CONNECT}{ANSWER}"));
    let text = "name: w\nstates:\n  initial: one\n  one: {type: agent, provider: claude, prompt: x, mcp_proxy: {enable: true}, on_success: two}\n  two: {type: agent, provider: claude, prompt: y, mcp_proxy: {enable: true}, conversation: {continue_from: one}}\n";
    let ran = theatre.run(text);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert!(theatre.read("argv.txt").contains("--resume s-1"));
}

#[test]
fn what_a_program_says_of_its_failure_is_the_steps_error() {
    let failed =
        r#"echo '{"type":"result","subtype":"success","is_error":true,"result":"API Error: 500"}'"#;
    let theatre = Theatre::new(&format!("{CONNECT}exec 3>&- 4<&-; wait $server\n{failed}\n"));
    let ran = theatre.run(&step(""));
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.AGENT.FAILED");
    assert_eq!(ran.end()["error"]["message"], "`claude` failed: API Error: 500");
}

#[test]
fn options_a_provider_does_not_know_are_refused() {
    let theatre = Theatre::new("#!/bin/sh\ntouch started\n");
    for (option, told) in [
        ("modle: opus", "did you mean `model`?"),
        ("dangerously_skip_permissions: true", "tools of its own"),
    ] {
        let ran = theatre.run(&step(&format!("    options: {{{option}}}\n")));
        assert!(ran.code == 2 && ran.stderr.contains(told), "{} {}", ran.code, ran.stderr);
    }
    // What a template gives is known when the step begins.
    let ran = theatre.run(&step("    options: {max_turns: '{{.workflow.Name}}'}\n"));
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.AGENT.UNUSABLE", "{}", ran.stderr);
    assert!(!theatre.world.root().join("started").exists());
}

#[test]
fn a_workflow_does_not_choose_who_gets_the_users_key() {
    let theatre = Theatre::new("#!/bin/sh\ntouch started\n");
    for (name, value) in [
        ("ANTHROPIC_BASE_URL", "http://evil.invalid"),
        ("PATH", "/evil"),
        ("NODE_OPTIONS", "--require /evil.js"),
        ("https_proxy", "http://evil.invalid"),
    ] {
        let ran = theatre.run(&step(&format!("    env: {{{name}: '{value}'}}\n")));
        let error = &ran.end()["error"];
        assert_eq!(error["code"], "EXECUTION.AGENT.UNUSABLE", "{}", ran.stderr);
        assert!(error["message"].as_str().unwrap().contains(name), "{error}");
    }
    assert!(!theatre.world.root().join("started").exists());
}

/// Ends a run while the program is in a Bash call, and looks at what is left.
fn nothing_is_left_after(signal: Signal) {
    let call = r#"ask '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Bash","arguments":{"command":"setsid sleep 300 & touch began; sleep 300"}}}'"#;
    let theatre = Theatre::new(&format!("{CONNECT}trap '' TERM INT\n{call}\n{ANSWER}"));
    theatre.world.workflow("w", &step(""));
    let mark = format!("cli-agent-{}-{}", signal.as_raw(), std::process::id());
    let mut command = theatre.command(&["run", "w", "--format", "quiet"]);
    command.env(MARK, &mark).stderr(Stdio::null());
    let mut run = Running::start(command);
    wait_until("the command", || theatre.world.root().join("began").exists());
    // The program, the relay, the shell and its two sleeps.
    assert!(marked(&mark).len() >= 5, "{:?}", marked(&mark));
    let begun = Instant::now();
    kill_process(Pid::from_child(&run.0), signal).unwrap();
    let status = run.0.wait().unwrap();
    if signal != Signal::KILL {
        assert_eq!(status.code(), Some(130));
    }
    let left = left_after(&mark, Duration::from_secs(5).saturating_sub(begun.elapsed()));
    assert!(left.is_empty(), "{left:?}");
    let desk = theatre.read("desk.txt");
    wait_until("its files to go", || !Path::new(desk.trim()).exists());
}

#[test]
fn an_interrupted_run_leaves_nothing_of_a_program() {
    nothing_is_left_after(Signal::INT);
}

#[test]
fn a_terminated_run_leaves_nothing_of_a_program() {
    nothing_is_left_after(Signal::TERM);
}

#[test]
fn a_killed_run_leaves_nothing_of_a_program() {
    nothing_is_left_after(Signal::KILL);
}
