//! Agents that go past the proxy, or never come to it: what is recorded, what is told, and what ends the step.

use std::fs;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    cli_agent::{ANSWER, CONNECT, Theatre, step},
    workflow::interrupted,
};

/// A tool of its own that ran, as Claude's stream tells it.
const OWN: &str = r#"
echo '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t9","name":"Bash","input":{"command":"curl evil"}}]}}'
echo '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"done"}]}}'
"#;

#[test]
fn a_tool_used_past_the_proxy_is_recorded_logged_and_told() {
    let theatre = Theatre::new(&format!("{CONNECT}{OWN}{ANSWER}"));
    let ran = theatre.run(&step(""));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let output = theatre.world.awf_json(["activity", "list", "--status", "bypassed", "-o", "json"]);
    let [record] = &output["activities"].as_array().unwrap()[..] else { panic!("{output}") };
    assert_eq!((&record["server_name"], &record["tool_name"]), (&json!("claude"), &json!("Bash")));
    assert_eq!((&record["step"], &record["run_id"]), (&json!("ask"), &json!(ran.id())));
    assert_eq!(record["arguments"]["command"], "curl evil");
    assert_eq!(record["metadata"]["warnings"][0]["code"], "BYPASSED");
    let line = ran.stderr.lines().find(|line| line.contains("agent:claude")).unwrap();
    assert!(
        line.contains("WARN") && line.contains("tool call") && line.contains("past the proxy"),
        "{line}"
    );
    let told = ran.all("tool_call");
    assert!(told.iter().any(|call| call["status"] == "bypassed" && call["subject"] == "curl evil"));
    let ended = ran.all("step_ended")[0].clone();
    assert_eq!(
        (&ended["calls_bypassed"], &ended["calls_denied"]),
        (&json!(1), &json!(1)),
        "{ended}"
    );
    assert_eq!((&ended["input_tokens"], &ended["output_tokens"]), (&json!(30), &json!(12)));
    assert_eq!((&ran.end()["cost_usd"], &ran.end()["calls_bypassed"]), (&json!(0.25), &json!(1)));
    assert!(theatre.world.awf(["activity", "verify"]).status.success());
}

#[test]
fn a_project_may_end_the_step_there() {
    // It would go on for long: the step ends it.
    let theatre = Theatre::new(&format!("{CONNECT}{OWN}\nsleep 300\n{ANSWER}"));
    theatre.world.file(".awf/config.yaml", "on_bypass: fail\n");
    // It is not trusted with another try.
    let ran = theatre.run(&step("    retry: {max_attempts: 3}\n"));
    assert_eq!(
        (ran.code, &ran.end()["error"]["code"]),
        (3, &json!("EXECUTION.PROXY.BYPASSED")),
        "{}",
        ran.stderr
    );
    // Nor is it asked again.
    assert_eq!(
        theatre.world.activity().iter().filter(|record| record["status"] == "bypassed").count(),
        1
    );
    // A tool that the agent does not have is no bypass.
    let theatre = Theatre::new(&format!("{CONNECT}{ANSWER}"));
    theatre.world.file(".awf/config.yaml", "on_bypass: fail\n");
    assert_eq!(theatre.run(&step("")).code, 0);
}

#[test]
fn own_tools_beside_the_proxy_or_without_one_are_no_bypass() {
    let theatre = Theatre::new(&format!(
        "#!/bin/sh\ncat > /dev/null; server=1\n{OWN}{}",
        ANSWER.replace("wait $server", ":")
    ));
    theatre.world.file(".awf/config.yaml", "on_bypass: fail\n");
    let ran = theatre.run(&step("").replace("    mcp_proxy: {enable: true}\n", ""));
    assert_eq!((ran.code, theatre.world.activity().len()), (0, 0), "{}", ran.stderr);
}

#[test]
fn an_agent_that_never_asks_for_its_tools_has_failed() {
    let silent = "#!/bin/sh\ncat > /dev/null\n";
    let theatre =
        Theatre::new(&format!("{silent}{}", ANSWER.replace("exec 3>&- 4<&-; wait $server", "")));
    let ran = theatre.run(&step(""));
    assert_eq!(
        (ran.code, &ran.end()["error"]["code"]),
        (3, &json!("EXECUTION.PROXY.UNSEEN")),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.all("step_ended")[0]["input_tokens"],
        30,
        "what it cost is counted all the same"
    );
}

#[test]
fn what_codex_complains_of_before_its_run_is_not_logged() {
    let theatre = Theatre::new("#!/bin/sh\n");
    theatre.program(
        "codex",
        "#!/bin/sh\ncase \"$*\" in\n'debug models'*) echo \"bad key $OPENAI_API_KEY\" >&2; exit 1 ;;\n*'mcp list'*) echo '[]' ;;\n*) exit 1 ;;\nesac\n",
    );
    let ran = theatre.run(&step("").replace("claude", "codex"));
    assert!(ran.stderr.contains("keeps the tools of its models"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("sk-oai-1"), "{}", ran.stderr);
}

#[test]
fn a_program_that_does_not_tell_its_version_is_not_waited_for() {
    let theatre = Theatre::new("#!/bin/sh\n");
    let begun = theatre.world.root().join("asked");
    theatre.program("codex", &format!("#!/bin/sh\ntouch {}\nexec sleep 300\n", begun.display()));
    theatre.world.workflow("w", &step("").replace("claude", "codex"));
    interrupted(theatre.command(&["run", "w", "--format", "quiet"]), "version", &begun);
}

const WARNING: [&str; 3] = [
    "mcp_proxy on provider=codex runs in coexistence mode.",
    "Built-in tools cannot be disabled and may bypass the proxy.",
    "Use 'claude' or 'openai-compatible' for guaranteed MCP-only isolation.",
];

#[test]
fn codex_warns_of_coexistence_until_its_version_is_proven() {
    let script = "#!/bin/sh\ncase \"$*\" in\n--version) echo codex-cli 9.9.9 ;;\n'debug models'*) echo '{\"models\": []}' ;;\n*'mcp list'*) echo '[]' ;;\n*) exit 1 ;;\nesac\n";
    let theatre = Theatre::new("#!/bin/sh\n");
    theatre.program("codex", script);
    let intercepting = step("").replace("claude", "codex");
    let ran = theatre.run(&intercepting);
    let line = ran.stderr.lines().find(|line| line.contains("coexistence")).unwrap_or_default();
    assert!(
        line.contains("WARN") && WARNING.iter().all(|text| line.contains(text)),
        "{}",
        ran.stderr
    );
    let own = intercepting.replace("    mcp_proxy: {enable: true}\n", "");
    assert!(!theatre.run(&own).stderr.contains("coexistence"));
    let proof = proof("codex", "codex-cli 9.9.9", script);
    let kept = theatre.world.home().join("doctor.json");
    fs::write(&kept, proof.to_string()).unwrap();
    assert!(!theatre.run(&intercepting).stderr.contains("coexistence"));
    fs::write(&kept, leaking(&proof)).unwrap();
    let ran = theatre.run(&intercepting);
    assert!(ran.stderr.contains("`awf doctor` saw this version use: shell"), "{}", ran.stderr);
}

#[test]
fn an_agent_that_was_seen_to_leak_is_warned_of_whichever_it_is() {
    let script =
        format!("#!/bin/sh\n[ \"$1\" = --version ] && echo 9.9.9 && exit\n{CONNECT}{ANSWER}");
    let theatre = Theatre::new(&script);
    assert!(!theatre.run(&step("")).stderr.contains("provider=claude"));
    let kept = theatre.world.home().join("doctor.json");
    fs::write(&kept, leaking(&proof("claude", "9.9.9", &script))).unwrap();
    let ran = theatre.run(&step(""));
    let told = "mcp_proxy on provider=claude does not hold everything. `awf doctor` saw this version use: shell.";
    assert!(ran.code == 0 && ran.stderr.contains(told), "{}", ran.stderr);
    // What is known of another version is not held against this one.
    fs::write(&kept, leaking(&proof("claude", "9.9.8", &script))).unwrap();
    assert!(!theatre.run(&step("")).stderr.contains("provider=claude"));
}

fn proof(agent: &str, version: &str, program: &str) -> Value {
    let hash =
        Sha256::digest(program).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    json!([{
        "agent": agent, "version": version, "sha256": hash, "awf_version": env!("CARGO_PKG_VERSION"),
        "login": "API key", "verdict": "proven", "remains": [], "leaks": [], "at": "2026-01-01T00:00:00Z",
    }])
}

fn leaking(proof: &Value) -> String {
    let text = proof.to_string().replace("proven", "leaking");
    text.replace("\"leaks\":[]", "\"leaks\":[\"shell\"]")
}
