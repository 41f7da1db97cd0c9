//! What a client must find at the built-in tools: the table that every peer's checks are made from.

use std::{collections::BTreeMap, fs};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::ground::{Place, scripts};

const LEFT_FILE: &str = "notes/first.txt";

#[derive(Debug, Deserialize)]
pub(crate) struct Expected {
    /// The annotations of each tool, whole.
    annotations: BTreeMap<String, Map<String, Value>>,
    pub(crate) calls: Vec<ExpectedCall>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ExpectedCall {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    /// What the answer holds.
    answer: String,
    /// What the file holds afterwards.
    leaves: String,
}

impl Expected {
    pub(crate) fn load() -> Result<Self> {
        let text = fs::read_to_string(scripts().join("builtins.json"))?;
        serde_json::from_str(&text).context("read builtins.json")
    }

    /// Whether a `tools/list` result names just the built-in tools, with just their annotations.
    pub(crate) fn judge_list(&self, result: &Value) -> Result<()> {
        let tools = result["tools"].as_array().context("a list of tools")?;
        ensure!(tools.len() == self.annotations.len(), "it lists {} tools", tools.len());
        for tool in tools {
            let name = tool["name"].as_str().unwrap_or_default();
            let found = tool["annotations"].as_object();
            if found.is_none() || found != self.annotations.get(name) {
                bail!("`{name}` has the annotations {}", tool["annotations"]);
            }
        }
        Ok(())
    }
}

impl ExpectedCall {
    /// Whether a `tools/call` result is right, and so is what the call left behind.
    pub(crate) fn judge(&self, result: &Value, place: &Place) -> Result<()> {
        ensure!(result["isError"] != Value::Bool(true), "the tool failed: {result}");
        let text = result["content"][0]["text"].as_str().context("a text as answer")?;
        ensure!(text.contains(&self.answer), "the answer lacks `{}`: {text}", self.answer);
        let left = fs::read_to_string(place.root().join(LEFT_FILE))?;
        ensure!(left == self.leaves, "`{LEFT_FILE}` holds {left:?} afterwards");
        Ok(())
    }
}

#[cfg(test)]
mod tests;
