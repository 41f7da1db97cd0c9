//! What the model of a trial does: it uses awf's tools, then those an agent may have of its own, by every name they are known
//! by. Each of those would leave a file.

use std::path::Path;

use awf_agents::{ModelCall, ModelTurn, Scenario, Wanted};
use awf_core::AgentKind;
use serde_json::{Value, json};

/// What the files are called.
pub(super) const LEAKED: &str = "LEAKED";
/// What the shell is to answer.
pub(super) const ECHO: &str = "awf-doctor-bash-42";
/// The last word.
pub(super) const DONE: &str = "awf-doctor-done";

/// The whole script, for a project.
pub(super) fn scenario(kind: AgentKind, project: &Path) -> Scenario {
    let read = json!({"file_path": project.join("marker.txt")});
    let echo = json!({"command": "echo awf-doctor-bash-$((40+2))"});
    let mut turns = vec![
        ModelTurn::call(ModelCall::offered("Read", read)),
        ModelTurn::call(ModelCall::offered("Bash", echo)),
    ];
    // In a loop of awf's own these names are awf's tools.
    let ours = |call: &ModelCall| {
        let name = matches!(&call.wanted, Wanted::Named(name) if name == "Bash" || name == "Write");
        name && kind == AgentKind::OpenAiCompatible
    };
    let native = native(project).into_iter().filter(|call| !ours(call));
    turns.extend(native.map(ModelTurn::call));
    turns.push(ModelTurn::say(DONE));
    Scenario { turns, last: DONE.to_owned() }
}

/// Calls of tools that awf does not have, by the names the four agents give them.
fn native(project: &Path) -> Vec<ModelCall> {
    let file = |tool: &str| project.join(format!("{LEAKED}-{tool}")).display().to_string();
    let touch = |tool: &str| format!("touch {}", file(tool));
    let rows: [(&str, Value); 12] = [
        ("Bash", json!({"command": touch("Bash"), "description": "x"})),
        ("Write", json!({"file_path": file("Write"), "content": "x"})),
        (
            "Task",
            json!({"description": "x", "prompt": "say hi", "subagent_type": "general-purpose"}),
        ),
        ("WebFetch", json!({"url": "http://127.0.0.1:9/", "prompt": "x"})),
        ("run_shell_command", json!({"command": touch("run_shell_command")})),
        ("write_file", json!({"file_path": file("write_file"), "content": "x"})),
        ("shell", json!({"command": ["sh", "-c", touch("shell")]})),
        ("shell_command", json!({"command": touch("shell_command")})),
        ("exec_command", json!({"cmd": touch("exec_command")})),
        ("bash", json!({"command": touch("bash"), "description": "x"})),
        ("write", json!({"filePath": file("write"), "content": "x"})),
        ("web_fetch", json!({"prompt": "http://127.0.0.1:9/"})),
    ];
    let mut calls: Vec<ModelCall> =
        rows.into_iter().map(|(name, arguments)| ModelCall::named(name, arguments)).collect();
    let patch = format!("*** Begin Patch\n*** Add File: {LEAKED}-apply_patch\n+x\n*** End Patch\n");
    let patch = ModelCall::named("apply_patch", json!({"input": patch}));
    calls.push(ModelCall { custom: true, ..patch });
    calls
}
