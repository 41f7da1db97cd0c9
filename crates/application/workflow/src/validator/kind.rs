//! What a state does, in the fields of its kind.

use std::time::Duration;

use awf_core::{
    AgentMode, AgentState, Backoff, Capture, CommandSource, Encoding, Limit, Located, Loop,
    LoopOver, McpProxy, OutputFormat, PromptSource, Retry, Skill, StateKind,
};
use serde_json::{Map, Value, json};

use crate::validator::{names, text, tree, trees};

/// The fields that only this kind has, and `Type`.
pub(super) fn of(kind: &StateKind) -> Map<String, Value> {
    let fields = match kind {
        StateKind::Command(CommandSource::Inline(command)) => json!({ "Command": command.value }),
        StateKind::Command(CommandSource::Script(path)) => json!({ "ScriptFile": path.value }),
        StateKind::Agent(own) => json!({
            "Agent": agent(own),
            "MCPProxy": own.proxy.as_ref().map(proxy),
        }),
        StateKind::Parallel(parallel) => json!({
            "Branches": names(&parallel.branches),
            "Strategy": parallel.strategy.as_str(),
            "MaxConcurrent": parallel.max_concurrent.unwrap_or_default(),
        }),
        StateKind::Loop(own) => json!({ "Loop": cycle(own) }),
        StateKind::Operation(operation) => json!({
            "Operation": operation.operation.value,
            "OperationInputs": trees(&operation.inputs),
        }),
        StateKind::Custom(custom) => json!({ "Config": trees(&custom.config) }),
        StateKind::Call(call) => {
            let outputs = call.outputs.iter();
            let outputs = outputs.map(|(from, to)| (from.value.clone(), to.value.clone().into()));
            let inputs = trees(&call.inputs).into_iter();
            let inputs = inputs.map(|(name, value)| (name, written(value).into()));
            json!({ "CallWorkflow": {
                "Workflow": call.workflow.value,
                "Inputs": inputs.collect::<Map<String, Value>>(),
                "Outputs": outputs.collect::<Map<String, Value>>(),
            } })
        }
        StateKind::Terminal(end) => json!({
            "Status": if end.success { "success" } else { "failure" },
            "Message": text(end.message.as_ref()),
        }),
    };
    let named = match kind {
        StateKind::Custom(custom) => custom.step_type.as_str(),
        other => other.as_str(),
    };
    let mut all = Map::from_iter([("Type".to_owned(), Value::from(named))]);
    if let Value::Object(fields) = fields {
        all.extend(fields);
    }
    all
}

fn agent(agent: &AgentState) -> Value {
    let (prompt, file) = match &agent.prompt {
        PromptSource::Inline(prompt) => (prompt.value.as_str(), ""),
        PromptSource::File(path) => ("", path.value.as_str()),
    };
    let skill = |skill: &Skill| match skill {
        Skill::Named(name) => json!({ "Name": name.value, "Path": "" }),
        Skill::At(path) => json!({ "Name": "", "Path": path.value }),
    };
    let continued = agent.continue_from.as_ref();
    json!({
        "Provider": agent.provider.value,
        "Prompt": prompt,
        "PromptFile": file,
        "SystemPrompt": text(agent.system_prompt.as_ref()),
        "Role": agent.role.as_ref().map(Located::as_str).unwrap_or_default(),
        "Skills": agent.skills.iter().map(skill).collect::<Vec<_>>(),
        "Mode": match agent.mode {
            AgentMode::Single => "single",
            AgentMode::Conversation => "conversation",
        },
        "OutputFormat": match agent.output_format {
            OutputFormat::Raw => "",
            OutputFormat::Text => "text",
            OutputFormat::Json => "json",
        },
        "Options": trees(&agent.options),
        "Conversation": continued.map(|from| json!({ "ContinueFrom": from.value })),
    })
}

fn proxy(proxy: &McpProxy) -> Value {
    let tools = proxy.plugin_tools.iter();
    let tools =
        tools.map(|tools| json!({ "Plugin": tools.plugin.value, "Expose": names(&tools.expose) }));
    json!({
        "Enable": proxy.enable,
        "InterceptBuiltins": proxy.intercept_builtins,
        "PluginTools": tools.collect::<Vec<_>>(),
    })
}

fn cycle(cycle: &Loop) -> Value {
    let (kind, items, condition) = match &cycle.over {
        LoopOver::Items(items) => ("for_each", written(tree(items)), ""),
        LoopOver::Condition(condition) => ("while", String::new(), condition.value.as_str()),
    };
    let (most, computed) = match &cycle.max_iterations {
        None => (0, ""),
        Some(Limit::Fixed(limit)) => (limit.value, ""),
        Some(Limit::Computed(limit)) => (0, limit.value.as_str()),
    };
    json!({
        "Type": kind,
        "Items": items,
        "Condition": condition,
        "Body": names(&cycle.body),
        "MaxIterations": most,
        "MaxIterationsExpr": computed,
        "BreakCondition": text(cycle.break_when.as_ref()),
        "OnComplete": cycle.on_complete.as_ref().map(Located::as_str).unwrap_or_default(),
    })
}

/// Text where the other side has nothing else.
fn written(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn retry(retry: &Retry) -> Value {
    json!({
        "MaxAttempts": retry.max_attempts,
        "InitialDelayMs": millis(retry.initial_delay),
        "MaxDelayMs": retry.max_delay.map_or(0, millis),
        "Backoff": match retry.backoff {
            Backoff::Constant => "constant",
            Backoff::Linear => "linear",
            Backoff::Exponential => "exponential",
        },
        "Multiplier": retry.multiplier,
        "Jitter": retry.jitter,
        "RetryableExitCodes":
            retry.retryable_exit_codes.iter().map(|code| code.value).collect::<Vec<_>>(),
    })
}

/// `null` where nothing is said of it.
pub(super) fn capture(capture: &Capture) -> Value {
    if *capture == Capture::default() {
        return Value::Null;
    }
    json!({
        "Stdout": capture.stdout.as_ref().map(Located::as_str).unwrap_or_default(),
        "Stderr": capture.stderr.as_ref().map(Located::as_str).unwrap_or_default(),
        "MaxSize": capture.max_size.map(|size| size.to_string()).unwrap_or_default(),
        "Encoding": match capture.encoding {
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin1",
            Encoding::Base64 => "base64",
        },
    })
}
