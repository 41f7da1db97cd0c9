//! What a server says when nobody stands before it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    direct::Calls,
    judge,
    servers::{Case, Server},
};
use crate::peers::speech::{Answer, Asks, Piped};

/// How many differences are told.
const SHOWN: usize = 3;

pub(super) struct Truth {
    /// By name, as written.
    pub(super) tools: BTreeMap<String, String>,
    pub(super) calls: Vec<(Case, Answer)>,
}

/// The parts of a tool that are looked at alone.
#[derive(Deserialize)]
pub(super) struct Tool<'a> {
    pub(super) name: String,
    #[serde(borrow, rename = "inputSchema")]
    pub(super) input_schema: &'a RawValue,
    #[serde(borrow)]
    pub(super) annotations: Option<&'a RawValue>,
}

impl Truth {
    /// Lists and calls all, each tool at least once.
    pub(super) fn heard(server: &Server) -> Result<Self> {
        let mut session = Piped::open(server.command())
            .with_context(|| format!("start {} by itself", server.name))?;
        let mut tools = BTreeMap::new();
        for tool in session.list()? {
            let name = serde_json::from_str::<Tool<'_>>(&tool)?.name;
            tools.insert(name, tool);
        }
        let cases = server.cases();
        let untried: Vec<_> =
            tools.keys().filter(|name| cases.iter().all(|case| case.tool != **name)).collect();
        ensure!(untried.is_empty(), "nobody calls {untried:?} of {}", server.name);
        server.reset()?;
        let mut calls = Vec::new();
        for case in cases {
            let answer = session.call(case.tool, &case.arguments)?;
            judge::expected(&case, &answer)
                .with_context(|| format!("{} of {} by itself", case.tool, server.name))?;
            calls.push((case, answer));
        }
        session.close()?;
        Ok(Self { tools, calls })
    }

    /// Whether every call has the answer that it should have.
    pub(super) fn judge(&self, server: &Server, calls: &mut dyn Calls) -> Result<()> {
        server.reset()?;
        let mut wrong = Vec::new();
        for (case, answer) in &self.calls {
            let found = calls.call(server.name, case.tool, &case.arguments);
            if let Err(error) = found.and_then(|found| judge::compare(case, answer, &found)) {
                wrong.push(format!("{}: {error:#}", case.tool));
            }
        }
        let count = wrong.len();
        wrong.truncate(SHOWN);
        if count > 0 {
            bail!("{count} of {} differ: {}", self.calls.len(), wrong.join("; "));
        }
        Ok(())
    }
}

/// The part of a text where it first differs from another.
pub(super) fn difference(wanted: &str, found: &str) -> String {
    let same = wanted.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let from = |text: &str| {
        let start = text.floor_char_boundary(same.saturating_sub(30));
        text[start..].chars().take(200).collect::<String>()
    };
    format!("`…{}` instead of `…{}`", from(found), from(wanted))
}

/// The texts of a result that the model reads.
pub(super) fn texts(result: &Value) -> String {
    let content = result["content"].as_array().into_iter().flatten();
    content.filter_map(|block| block["text"].as_str()).collect()
}
