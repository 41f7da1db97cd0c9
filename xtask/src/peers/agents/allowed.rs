//! An agent that nobody drives, as a person starts it: reads are let go by its own settings, a write is not and never
//! reaches awf. With the write let go too, it does: so the settings are what holds it.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::{
    agent::Agent,
    crew::{Checks, checks_of},
    seen::Seen,
    stage::{Stage, Tools},
};

/// What the person lets go without a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    Reads,
    Writes,
}

impl Leave {
    pub(super) const ALL: [Self; 2] = [Self::Reads, Self::Writes];

    fn tools(self) -> &'static [&'static str] {
        match self {
            Self::Reads => &["retrieve_tools", "call_tool_read"],
            Self::Writes => &["retrieve_tools", "call_tool_read", "call_tool_write"],
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Reads => "with reads let go",
            Self::Writes => "with writes let go too",
        }
    }
}

pub(super) fn check(tools: &Tools<'_>, agent: Agent, leave: Leave) -> Checks {
    let name = format!("{} {}", agent.provider(), leave.word());
    checks_of(&name, || {
        let mut stage = tools.stage(&name.replace(' ', "-"))?;
        let root = stage.text("project");
        stage.file("gateway.json", json!({"root": root}).to_string());
        let words = settle(&mut stage, agent, leave.tools())?;
        let seen = stage.run_program(&words, scenario(agent))?;
        let write = match leave {
            Leave::Reads => ("a write never reaches awf", judge_held(&seen)),
            Leave::Writes => ("a write goes through", judge_write(&seen)),
        };
        Ok(vec![
            (format!("{name}: a read goes through and is recorded"), judge_read(&seen)),
            (format!("{name}: {}", write.0), write.1),
        ])
    })
}

/// Puts the settings where the agent looks for them; gives its command line.
fn settle(stage: &mut Stage<'_>, agent: Agent, leave: &[&str]) -> Result<Vec<String>> {
    let awf = stage.awf();
    let arguments = ["mcp", "serve", "--config", &stage.text("gateway.json")].map(str::to_owned);
    let line = match agent {
        Agent::Claude => {
            let server = json!({"command": awf, "args": arguments, "alwaysLoad": true});
            stage.file("project/.mcp.json", json!({"mcpServers": {"awf": server}}).to_string());
            let leave: Vec<_> = leave.iter().map(|tool| format!("mcp__awf__{tool}")).collect();
            let words = ["claude", "-p", "--allowedTools", &leave.join(",")];
            return Ok(words.map(str::to_owned).to_vec());
        }
        Agent::Gemini => {
            let server = json!({"command": awf, "args": arguments});
            let servers = json!({"awf": server});
            stage.setting("home/.gemini/settings.json", "mcpServers", servers)?;
            stage.file("home/.gemini/policies/awf.toml", gemini_rules(leave));
            "gemini --skip-trust"
        }
        Agent::Codex => {
            let settings = codex_settings(&awf, &arguments, &stage.text("awf"), leave);
            stage.file("project/.codex/config.toml", settings);
            "codex exec --skip-git-repo-check -"
        }
        Agent::OpenCode => {
            let command = [&[awf], &arguments[..]].concat();
            let server = json!({"type": "local", "command": command, "enabled": true});
            let mut rules = json!({"awf_*": "ask"});
            for tool in leave {
                rules[format!("awf_{tool}")] = json!("allow");
            }
            let settings = json!({"mcp": {"awf": server}, "permission": rules});
            stage.file("project/opencode.json", settings.to_string());
            "opencode run -- Go"
        }
        Agent::Endpoint => "",
    };
    Ok(line.split(' ').map(str::to_owned).collect())
}

fn gemini_rules(leave: &[&str]) -> String {
    let rule = |tools: &[&str], decision: &str, priority: u32| {
        let tools = json!(tools);
        format!(
            "[[rule]]\nmcpName = \"awf\"\ntoolName = {tools}\ndecision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    let asked = ["call_tool_write", "call_tool_destructive"];
    rule(leave, "allow", 200) + &rule(&asked, "ask_user", 100)
}

fn codex_settings(awf: &str, arguments: &[String], home: &str, leave: &[&str]) -> String {
    let arguments = json!(arguments);
    let tools = leave
        .iter()
        .map(|tool| format!("\n[mcp_servers.awf.tools.{tool}]\napproval_mode = \"approve\"\n"));
    let server = format!(
        "[mcp_servers.awf]\ncommand = \"{awf}\"\nargs = {arguments}\ndefault_tools_approval_mode = \"prompt\"\nrequired = true\n\n[mcp_servers.awf.env]\nAWF_HOME = \"{home}\"\n"
    );
    server + &tools.collect::<String>()
}

fn scenario(agent: Agent) -> Value {
    let call = |tool: &str, name: &str, operation: &str, arguments: Value| {
        // Gemini does not offer what it would have to ask for.
        let wanted = match agent {
            Agent::Gemini => json!({"named": format!("mcp_awf_{tool}")}),
            _ => json!({"offered": tool}),
        };
        let mut stated = json!({"name": name, "args": arguments});
        // Gemini is shown the flat form, and holds its model to it.
        if agent == Agent::Gemini {
            stated["intent_operation_type"] = json!(operation);
        } else {
            stated["intent"] = json!({"operation_type": operation});
        }
        json!({"calls": [{"wanted": wanted, "arguments": stated}]})
    };
    let written = json!({"file_path": "written.txt", "content": "x"});
    let turns = [
        call("call_tool_read", "builtin:Read", "read", json!({"file_path": "marker.txt"})),
        call("call_tool_write", "builtin:Write", "write", written),
    ];
    json!({"turns": turns, "last": "done"})
}

fn judge_read(seen: &Seen) -> Result<()> {
    seen.judge_asked()?;
    ensure!(
        seen.has_result("the marker is 7731"),
        "{:?} {}",
        seen.last_results(),
        seen.last_words()
    );
    let records = recorded(seen, "call_tool_read");
    let right = records.len() == 1 && records.iter().all(|record| record["status"] == "success");
    ensure!(right, "{records:?}");
    Ok(())
}

fn judge_held(seen: &Seen) -> Result<()> {
    // OpenCode leaves when somebody says no, so that its model never hears of it; Codex's model calls from within a
    // script, so that its answer does not name the tool, and hears of it.
    let named = |request: &Value| request["answer"].to_string().contains("call_tool_write");
    let tried = seen.requests.iter().any(named) || seen.answered() > 1;
    ensure!(tried, "the write was not tried: {}", seen.last_words());
    let records = recorded(seen, "call_tool_write");
    ensure!(records.is_empty(), "it reached awf: {records:?}");
    ensure!(!seen.exists("project/written.txt"), "the file was written");
    Ok(())
}

fn judge_write(seen: &Seen) -> Result<()> {
    let records = recorded(seen, "call_tool_write");
    ensure!(records.len() == 1, "{records:?}: {:?}", seen.last_results());
    ensure!(seen.exists("project/written.txt"), "the file was not written");
    Ok(())
}

fn recorded<'a>(seen: &'a Seen, variant: &str) -> Vec<&'a Value> {
    seen.records.iter().filter(|record| record["metadata"]["tool_variant"] == variant).collect()
}
