//! What is said of a state, by the keys of the file.

use std::time::Duration;

use awf_core::{
    AgentMode, AgentState, Backoff, CommandSource, Hook, Limit, Located, Loop, LoopOver, McpProxy,
    OutputFormat, PromptSource, Retry, Skill, State, StateKind, StepTools, Surface, Tree,
};
use serde_json::Value;

use crate::plan::known::Known;

pub(super) fn of(state: &State, known: &Known) -> Vec<(String, String)> {
    let mut values = Values { known, said: Vec::new() };
    values.kind(&state.kind);
    values.template("dir", state.dir.as_ref().map(|dir| dir.value.as_str()));
    for (name, value) in &state.env {
        values.add(&format!("env.{}", name.value), known.variable(&name.value, &value.value));
    }
    if let Some(timeout) = state.timeout {
        values.add("timeout", period(timeout));
    }
    if let Some(again) = &state.retry {
        values.add("retry", retry(again));
    }
    if state.continue_on_error {
        values.add("continue_on_error", "true".to_owned());
    }
    let capture = &state.capture;
    values.plain("capture.stdout", capture.stdout.as_ref().map(Located::as_str));
    values.plain("capture.stderr", capture.stderr.as_ref().map(Located::as_str));
    values.hooks("hooks.pre", &state.hooks.pre);
    values.hooks("hooks.post", &state.hooks.post);
    values.said
}

struct Values<'k> {
    known: &'k Known,
    said: Vec<(String, String)>,
}

impl Values<'_> {
    fn kind(&mut self, kind: &StateKind) {
        match kind {
            StateKind::Command(CommandSource::Inline(command)) => {
                self.template("command", Some(&command.value));
            }
            StateKind::Command(CommandSource::Script(path)) => {
                self.template("script_file", Some(&path.value));
            }
            StateKind::Agent(agent) => self.agent(agent),
            StateKind::Parallel(parallel) => {
                self.add("parallel", listed(&parallel.branches));
                self.add("strategy", parallel.strategy.as_str().to_owned());
                if let Some(most) = parallel.max_concurrent {
                    self.add("max_concurrent", most.to_string());
                }
            }
            StateKind::Loop(cycle) => self.cycle(cycle),
            StateKind::Operation(operation) => {
                self.plain("operation", Some(operation.operation.as_str()));
                self.trees("inputs", &operation.inputs);
            }
            StateKind::Custom(custom) => {
                self.plain("type", Some(custom.step_type.as_str()));
                self.trees("config", &custom.config);
            }
            StateKind::Call(call) => {
                self.plain("workflow", Some(call.workflow.as_str()));
                self.trees("inputs", &call.inputs);
                for (state, name) in &call.outputs {
                    self.add(&format!("outputs.{}", state.value), name.value.clone());
                }
            }
            StateKind::Terminal(end) => {
                self.add("status", if end.success { "success" } else { "failure" }.to_owned());
                self.template("message", end.message.as_ref().map(|text| text.value.as_str()));
            }
        }
    }

    fn agent(&mut self, agent: &AgentState) {
        self.template("provider", Some(&agent.provider.value));
        match &agent.prompt {
            PromptSource::Inline(prompt) => self.template("prompt", Some(&prompt.value)),
            PromptSource::File(path) => self.template("prompt_file", Some(&path.value)),
        }
        self.template(
            "system_prompt",
            agent.system_prompt.as_ref().map(|text| text.value.as_str()),
        );
        self.plain("role", agent.role.as_ref().map(Located::as_str));
        let skills: Vec<&str> = agent
            .skills
            .iter()
            .map(|skill| match skill {
                Skill::Named(name) | Skill::At(name) => name.as_str(),
            })
            .collect();
        if !skills.is_empty() {
            self.add("skills", skills.join(", "));
        }
        match agent.mode {
            AgentMode::Single => {}
            AgentMode::Conversation => self.plain("mode", Some("conversation")),
        }
        self.plain("continue_from", agent.continue_from.as_ref().map(Located::as_str));
        match agent.output_format {
            OutputFormat::Raw => {}
            OutputFormat::Text => self.plain("output_format", Some("text")),
            OutputFormat::Json => self.plain("output_format", Some("json")),
        }
        self.trees("options", &agent.options);
        if let Some(proxy) = agent.proxy.as_ref().filter(|proxy| proxy.enable) {
            self.proxy(proxy);
            self.tools(&agent.tools);
        }
    }

    fn proxy(&mut self, proxy: &McpProxy) {
        let builtins = if proxy.intercept_builtins { "only awf's tools" } else { "beside its own" };
        self.add("mcp_proxy", builtins.to_owned());
        for tools in &proxy.plugin_tools {
            self.add(&format!("plugin_tools.{}", tools.plugin.value), listed(&tools.expose));
        }
    }

    fn tools(&mut self, tools: &StepTools) {
        match tools.surface {
            Surface::Direct => {}
            Surface::Intent => self.plain("tools.surface", Some("intent")),
        }
        if !tools.servers.is_empty() {
            self.add("tools.servers", listed(&tools.servers));
        }
        if let Some(allow) = tools.allow {
            self.add("tools.allow", allow.to_string());
        }
        for root in &tools.roots {
            self.template("tools.roots", Some(&root.value));
        }
    }

    fn cycle(&mut self, cycle: &Loop) {
        match &cycle.over {
            LoopOver::Items(items) => self.tree("items", items),
            LoopOver::Condition(condition) => self.plain("while", Some(&condition.value)),
        }
        self.add("body", listed(&cycle.body));
        match &cycle.max_iterations {
            None => {}
            Some(Limit::Fixed(limit)) => self.add("max_iterations", limit.value.to_string()),
            Some(Limit::Computed(limit)) => self.plain("max_iterations", Some(&limit.value)),
        }
        self.plain("break_when", cycle.break_when.as_ref().map(|text| text.value.as_str()));
    }

    fn hooks(&mut self, key: &str, hooks: &[Hook]) {
        for hook in hooks {
            match hook {
                Hook::Log(text) => self.template(&format!("{key}.log"), Some(&text.value)),
                Hook::Command(text) => self.template(&format!("{key}.command"), Some(&text.value)),
            }
        }
    }

    fn trees(&mut self, key: &str, trees: &[(Located<String>, Tree)]) {
        for (name, tree) in trees {
            self.tree(&format!("{key}.{}", name.value), tree);
        }
    }

    fn tree(&mut self, key: &str, tree: &Tree) {
        let value = match tree {
            Tree::Text(text) => self.known.text(&text.value),
            Tree::Plain(_) | Tree::List(..) | Tree::Map(..) => self.value(tree).to_string(),
        };
        self.add(key, value);
    }

    fn value(&self, tree: &Tree) -> Value {
        match tree {
            Tree::Text(text) => Value::from(self.known.text(&text.value)),
            Tree::Plain(plain) => plain.value.clone(),
            Tree::List(items, _) => items.iter().map(|item| self.value(item)).collect(),
            Tree::Map(entries, _) => entries
                .iter()
                .map(|(name, value)| (name.value.clone(), self.value(value)))
                .collect(),
        }
    }

    fn template(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(key, self.known.text(text));
        }
    }

    fn plain(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(key, text.to_owned());
        }
    }

    fn add(&mut self, key: &str, value: String) {
        self.said.push((key.to_owned(), value));
    }
}

fn listed(names: &[Located<String>]) -> String {
    names.iter().map(Located::as_str).collect::<Vec<_>>().join(", ")
}

fn period(time: Duration) -> String {
    format!("{time:?}")
}

fn retry(retry: &Retry) -> String {
    let growth = match retry.backoff {
        Backoff::Constant => "",
        Backoff::Linear => ", growing linearly",
        Backoff::Exponential => ", growing exponentially",
    };
    if retry.initial_delay.is_zero() {
        return format!("{} attempts", retry.max_attempts);
    }
    format!("{} attempts, {} apart{growth}", retry.max_attempts, period(retry.initial_delay))
}
