//! What a trial left to be judged.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::{agent::Agent, otlp::Span, setup::MODEL};
use crate::command::{command, output_within};

const BUILTINS: [&str; 6] = ["Bash", "Edit", "Glob", "Grep", "Read", "Write"];
pub(super) const INTENT_TOOLS: [&str; 4] =
    ["retrieve_tools", "call_tool_read", "call_tool_write", "call_tool_destructive"];

pub(super) struct Seen {
    folder: PathBuf,
    files: Vec<(PathBuf, String)>,
    pub(super) outcome: Outcome,
    /// What the model was asked, a line of its log each.
    pub(super) requests: Vec<Value>,
    /// What awf told.
    pub(super) events: Vec<Value>,
    pub(super) stderr: String,
    pub(super) spans: Vec<Span>,
    pub(super) records: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    pub(super) code: Option<i32>,
    pub(super) ended_ms: u64,
    /// Command lines of processes.
    pub(super) left: Vec<String>,
    /// What lies where temporary files go.
    pub(super) files: Vec<String>,
}

impl Seen {
    pub(super) fn read(folder: &Path, files: Vec<(PathBuf, String)>, awf: PathBuf) -> Result<Self> {
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let lines = |name: &str| -> Vec<Value> {
            text(name).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
        };
        let mut activity = command(awf);
        activity.args(["activity", "list", "-o", "json", "-n", "100"]);
        activity.env("AWF_HOME", folder.join("awf")).env("HOME", folder.join("home"));
        let told = output_within(Duration::from_secs(30), activity)?;
        let told: Value = serde_json::from_slice(&told.stdout).context("the activity")?;
        Ok(Self {
            folder: folder.to_owned(),
            files,
            outcome: serde_json::from_str(&text("outcome.json")).context("the outcome")?,
            requests: lines("model.jsonl"),
            events: lines("stdout"),
            stderr: text("stderr"),
            spans: serde_json::from_str(&text("spans.json")).context("the spans")?,
            records: told["activities"].as_array().cloned().unwrap_or_default(),
        })
    }

    /// The last event, which is the end of the run.
    pub(super) fn end(&self) -> Result<&Value> {
        let last = self.events.last().filter(|event| event["event"] == "run_ended");
        last.with_context(|| format!("the run did not end: {}", self.last_words()))
    }

    /// The end of what was said on stderr.
    pub(super) fn last_words(&self) -> &str {
        let from = self.stderr.floor_char_boundary(self.stderr.len().saturating_sub(800));
        &self.stderr[from..]
    }

    /// Whether a path of the trial's folder exists.
    pub(super) fn exists(&self, path: &str) -> bool {
        self.folder.join(path).exists()
    }

    /// Files of the project whose names begin so.
    pub(super) fn project_files(&self, prefix: &str) -> Result<Vec<String>> {
        let entries = fs::read_dir(self.folder.join("project"))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter(|name| name.starts_with(prefix)).collect())
    }

    /// Whether the agent came so far as to ask its model: if not, that nothing happened proves nothing.
    pub(super) fn judge_asked(&self) -> Result<()> {
        ensure!(!self.requests.is_empty(), "the model was not asked: {}", self.last_words());
        Ok(())
    }

    /// Whether every file is as it was put there.
    pub(super) fn judge_files(&self) -> Result<()> {
        self.judge_asked()?;
        let address = fs::read_to_string(self.folder.join("address"))?;
        for (path, text) in &self.files {
            let now =
                fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
            if now != text.replace(MODEL, &address) {
                bail!("{} was changed", path.display());
            }
        }
        Ok(())
    }

    /// Whether a result with these words is back at the model.
    pub(super) fn has_result(&self, words: &str) -> bool {
        let results = |request: &Value| request["results"].as_array().cloned().unwrap_or_default();
        let has = |result: &Value| result["text"].as_str().is_some_and(|text| text.contains(words));
        self.requests.iter().any(|request| results(request).iter().any(has))
    }

    /// What the model was last told of its calls.
    pub(super) fn last_results(&self) -> &Value {
        self.requests.last().map_or(&Value::Null, |request| &request["results"])
    }

    /// How many calls the model has answers to.
    pub(super) fn answered(&self) -> usize {
        let answered = |request: &Value| request["results"].as_array().map_or(0, Vec::len);
        self.requests.iter().map(answered).max().unwrap_or_default()
    }

    /// The names of the tools in requests whose history has so many answers.
    pub(super) fn offered(&self, turns: std::ops::Range<u64>) -> Vec<&str> {
        let requests = self
            .requests
            .iter()
            .filter(|request| request["turn"].as_u64().is_some_and(|turn| turns.contains(&turn)));
        let tools = requests.flat_map(|request| request["tools"].as_array().into_iter().flatten());
        let mut names: Vec<_> = tools.filter_map(Value::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Whether these are all of awf's built-in tools and nothing else that can do anything.
pub(super) fn judge_intercepted(agent: Agent, offered: &[&str]) -> Result<()> {
    judge_offered(agent, offered, &BUILTINS)
}

/// Whether awf's `wanted` are offered and nothing else that can do anything.
pub(super) fn judge_offered(agent: Agent, offered: &[&str], wanted: &[&str]) -> Result<()> {
    let ours: Vec<_> = offered.iter().filter_map(|name| agent.awf_tool(name)).collect();
    let others: Vec<_> = offered
        .iter()
        .filter(|name| agent.awf_tool(name).is_none_or(|tool| !wanted.contains(&tool)))
        .filter(|name| !agent.is_neutral(name))
        .collect();
    ensure!(others.is_empty(), "the model is offered {others:?} too");
    let missing: Vec<_> = wanted.iter().filter(|name| !ours.contains(*name)).collect();
    ensure!(missing.is_empty(), "the model is not offered {missing:?} but {offered:?}");
    Ok(())
}

/// Whether the agent's own tools and `wanted` are there, and none of awf's built-in ones.
pub(super) fn judge_additive(agent: Agent, offered: &[&str], wanted: &str) -> Result<()> {
    let ours: Vec<_> = offered.iter().filter_map(|name| agent.awf_tool(name)).collect();
    ensure!(ours.contains(&wanted), "the model is not offered `{wanted}` but {offered:?}");
    let builtin = ours.iter().find(|name| BUILTINS.contains(name));
    ensure!(builtin.is_none(), "the model is offered awf's {builtin:?}");
    if let Some(native) = agent.native_tool() {
        ensure!(offered.contains(&native), "the agent's own `{native}` is gone: {offered:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
