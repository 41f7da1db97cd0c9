//! Secrets that programs of agents are given: in their environment, on their standard input and in their files.

use serde_json::json;

use crate::secrets::{Stage, Stdout, canary};

/// The programs, and whether they take a rule without showing it to others, which docs/agents.md says Codex does not.
const PROGRAMS: [(&str, &str); 4] = [
    ("claude", "{{.inputs.ruled}}"),
    ("codex", "be kind"),
    ("gemini", "{{.inputs.ruled}}"),
    ("opencode", "{{.inputs.ruled}}"),
];

/// Answers what it is asked beforehand, notes all it is given, and repeats its secrets in its complaint.
const PROGRAM: &str = r#"#!/bin/sh
case "$*" in
--version) echo "NAME 9.9.9"; exit ;;
*'debug models'*) echo '{"models": []}'; exit ;;
*'mcp list'*) echo '[]'; exit ;;
esac
CENSUS
{ cat; env; for word; do if [ -f "$word" ]; then cat "$word"; fi; done; } >> NOTED
echo "bad keys: $ANTHROPIC_API_KEY $OPENAI_API_KEY $GEMINI_API_KEY $STATE_TOKEN" >&2
exit 3
"#;

/// A step for each program, one after the other; all of them fail.
pub(super) fn started(stage: &mut Stage) {
    let noted = stage.world.beside("noted");
    let mut states = serde_json::Map::from_iter([("initial".to_owned(), json!("claude"))]);
    for (at, (name, rule)) in PROGRAMS.iter().enumerate() {
        let text = PROGRAM.replace("NAME", name).replace("CENSUS", &stage.census(name));
        stage.script(&format!("bin/{name}"), &text.replace("NOTED", noted.to_str().unwrap()));
        let next = PROGRAMS.get(at + 1).map_or("done", |(name, _)| name);
        states.insert(
            (*name).to_owned(),
            json!({
                "type": "agent", "provider": name, "prompt": "look at {{.inputs.asked}}",
                "system_prompt": rule, "mcp_proxy": {"enable": true},
                "env": {"STATE_TOKEN": "{{.env.NEUTRAL}}"}, "on_success": next, "on_failure": next,
            }),
        );
    }
    states.insert("done".to_owned(), json!({"type": "terminal"}));
    let inputs = json!([{"name": "asked", "secret": true}, {"name": "ruled", "secret": true}]);
    let text = json!({"name": "agents", "inputs": inputs, "states": states});
    stage.world.workflow("agents", &text.to_string());
    for format in ["json", "text"] {
        let mut command = stage.awf(&["run", "agents", "--format", format]);
        let path = format!("{}:/usr/bin:/bin", stage.world.beside("bin").display());
        command.env("PATH", path).env("HOME", stage.world.beside("user"));
        for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
            command.env(key, canary("agent key"));
        }
        command.env("NEUTRAL", canary("agent env"));
        command.args(["--input", &format!("asked={}", canary("agent prompt"))]);
        command.args(["--input", &format!("ruled={}", canary("agent rule"))]);
        stage.run(command, Stdout::Full);
        let (_, told) = stage.sinks.iter().rev().nth(1).unwrap();
        for (name, _) in PROGRAMS {
            assert!(told.contains(&format!("`{name}` ended with exit code 3: bad keys")), "{told}");
        }
    }
    stage.arrived_in("noted");
}
