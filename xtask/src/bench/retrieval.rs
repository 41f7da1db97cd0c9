//! How well `retrieve_tools` finds what people and agents ask for, beside plain BM25 over the same tools.
//!
//! Asked through awf as an agent would, with each invented server a process of its own.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{
    figure::{Figure, Outcome},
    setting::Setting,
};
use crate::{
    client::{Call, Client},
    retrieval::{Plain, Query, queries, servers, tools},
};

/// As many as may be asked for.
const LIMIT: usize = 100;

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let (tools, queries) = (tools()?, queries()?);
    let upstreams =
        servers(&tools).into_iter().map(|name| (name, setting.floor(&["invented", name])));
    let mut client = Client::open(setting.gateway("retrieval", upstreams)?)?;
    let plain = Plain::new(&tools);
    let mut figures = Vec::new();
    for (split, recall, rank) in [
        ("tune", "tools found in 5, tune (recall@5)", "rank of the first, tune (MRR)"),
        ("held-out", "tools found in 5, held out (recall@5)", "rank of the first, held out (MRR)"),
    ] {
        let asked: Vec<&Query> = queries.iter().filter(|query| query.split == split).collect();
        let mut ours = Score::default();
        let mut simplest = Score::default();
        for query in asked {
            ours.count(&query.answers, &ask(&mut client, &query.text)?);
            let mut found = plain.search(&query.text);
            found.truncate(LIMIT);
            simplest.count(&query.answers, &found);
        }
        let share = |name, awf, simplest| Figure { name, result: Outcome::Share { awf, simplest } };
        figures.push(share(recall, ours.recall(), simplest.recall()));
        figures.push(share(rank, ours.reciprocal(), simplest.reciprocal()));
    }
    client.close()?;
    Ok(figures)
}

fn ask(client: &mut Client, query: &str) -> Result<Vec<String>> {
    let arguments = json!({"query": query, "limit": LIMIT, "detail": "compact"});
    let call = Call::new("retrieve_tools", &arguments, "\"structuredContent\"");
    let (_, reply) = client.call(&call)?;
    let reply: Value = serde_json::from_slice(reply)?;
    let found = &reply["result"]["structuredContent"];
    ensure!(found.get("unavailable").is_none(), "a server could not be asked: {found}");
    let tools = found["tools"].as_array().context("a reply without tools")?;
    let name =
        |tool: &Value| tool["name"].as_str().map(str::to_owned).context("a tool without a name");
    tools.iter().map(name).collect()
}

/// Sums over queries.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Score {
    recall: f64,
    reciprocal: f64,
    queries: f64,
}

impl Score {
    fn count(&mut self, wanted: &[String], found: &[String]) {
        let hits = found.iter().take(5).filter(|name| wanted.contains(name)).count();
        let first = found.iter().position(|name| wanted.contains(name));
        self.recall += ratio(hits, wanted.len());
        self.reciprocal += first.map_or(0.0, |place| ratio(1, place + 1));
        self.queries += 1.0;
    }

    /// How many of the wanted were among the first five.
    fn recall(self) -> f64 {
        self.recall / self.queries
    }

    /// One for a first place, a half for a second.
    fn reciprocal(self) -> f64 {
        self.reciprocal / self.queries
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

#[cfg(test)]
mod tests;
