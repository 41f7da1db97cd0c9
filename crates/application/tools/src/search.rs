//! Search over tools: BM25 with fields, synonyms and forgiveness for slips, over an index made once for a list of tools.
//!
//! Pure: the same tools, in whatever order, and the same query give the same hits. What a hostile tool says can cost a
//! bounded amount of work and memory, and can be found; nothing more.
//!
//! A score is a share of what the query could get at best, so it can be read without the other hits: near 1, each word of
//! the query is in the tool's name or prominent in its description; near 0, little of it is. A query of filters alone is
//! met in full by every tool that passes them: each has the score 1, and they come in order of name.

use std::sync::Arc;

use awf_core::{Operation, ToolDefinition, Unannotated, call_with};

use concepts::{Ground, concepts};
use postings::{DocumentId, Postings};
use query::Query;
pub use query::SearchFilters;
use ranking::{Ranked, rank};
use vocabulary::Vocabulary;

mod concepts;
mod distance;
mod fields;
mod postings;
mod query;
mod ranking;
mod stem;
mod synonyms;
mod vocabulary;
mod words;

/// The least rank of a tool whose whole name was given.
const NAMED: f32 = 0.9;

/// All tools of a catalogue, ready to be searched.
#[derive(Debug, Default)]
pub struct SearchIndex {
    /// In order of `server:tool`, and with that of ties.
    tools: Vec<Indexed>,
    /// Places in `tools`, in order of the name alone.
    by_name: Vec<DocumentId>,
    servers: Vec<String>,
    vocabulary: Vocabulary,
    postings: Postings,
}

#[derive(Debug)]
struct Indexed {
    tool: Arc<ToolDefinition>,
    /// Place in `servers`.
    server: usize,
    /// What it is to be called for.
    operation: Operation,
}

/// What a search gave.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How many tools match, whether or not they are among the hits.
    pub total: usize,
    /// The best of them, the best first; equals in order of `server:tool`.
    pub hits: Vec<Hit>,
}

/// A tool that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The tool.
    pub tool: Arc<ToolDefinition>,
    /// How well it matches, above 0 and up to 1.
    pub score: f64,
}

impl SearchIndex {
    /// Reads `tools`; `unannotated` says what those count as that say nothing about their effects.
    pub fn build(tools: &[Arc<ToolDefinition>], unannotated: Unannotated) -> Self {
        let tools = in_order(tools);
        let (vocabulary, postings) = postings::read(&tools);
        let mut servers: Vec<String> = Vec::new();
        let indexed = tools.into_iter().map(|tool| {
            let server = tool.source().namespace();
            if servers.last().is_none_or(|last| last != server) {
                servers.push(server.to_owned());
            }
            let operation = call_with(tool.class(), unannotated).0;
            Indexed { tool, server: servers.len() - 1, operation }
        });
        let tools: Vec<Indexed> = indexed.collect();
        let mut by_name: Vec<DocumentId> = (0..).take(tools.len()).collect();
        by_name.sort_by_key(|id| tools.get(*id as usize).map(|known| known.tool.name()));
        Self { tools, by_name, servers, vocabulary, postings }
    }

    /// The best `limit` tools for `query`. What filters leave out is neither a hit nor counted.
    pub fn search(&self, query: &str, limit: usize) -> Found {
        let query = Query::parse(query);
        let ground = Ground {
            vocabulary: &self.vocabulary,
            postings: &self.postings,
            tools: self.tools.len(),
        };
        let concepts = concepts(&query.text, ground);
        let mut ranked = if concepts.is_empty() {
            self.all_for(&query.text)
        } else {
            rank(&concepts, &self.postings, self.tools.len())
        };
        self.raise_named(&query.text, &mut ranked);
        let servers: Vec<bool> =
            self.servers.iter().map(|server| query.server.admits(server)).collect();
        ranked.retain(|ranked| {
            self.tools.get(ranked.document as usize).is_some_and(|known| {
                servers.get(known.server) == Some(&true) && query.admits_operation(known.operation)
            })
        });
        let total = ranked.len();
        Found { total, hits: self.best(ranked, limit) }
    }

    /// Every tool, unless something was asked for after all that holds no word.
    fn all_for(&self, text: &str) -> Vec<Ranked> {
        let all = if text.is_empty() { self.tools.len() } else { 0 };
        (0..).take(all).map(|document| Ranked { document, rank: 1.0 }).collect()
    }

    /// Whoever gives a tool's name wants that tool: `tool` nearly, `server:tool` surely.
    fn raise_named(&self, text: &str, ranked: &mut [Ranked]) {
        let (server, name) = match text.rsplit_once(':') {
            Some((server, name)) => (Some(server), name),
            None => (None, text),
        };
        let name_of = |id: &DocumentId| {
            self.tools.get(*id as usize).map_or("", |known| known.tool.name().as_str())
        };
        let start = self.by_name.partition_point(|id| name_of(id) < name);
        let named = self.by_name.iter().skip(start).take_while(|id| name_of(id) == name);
        let mut named: Vec<DocumentId> = named.copied().collect();
        named.retain(|id| {
            let known = self.tools.get(*id as usize);
            server.is_none_or(|server| {
                known.is_some_and(|known| known.tool.source().namespace() == server)
            })
        });
        if named.is_empty() {
            return;
        }
        let floor = if server.is_some() { 1.0 } else { NAMED };
        for ranked in ranked.iter_mut().filter(|ranked| named.contains(&ranked.document)) {
            ranked.rank = ranked.rank.max(floor);
        }
    }

    fn best(&self, mut ranked: Vec<Ranked>, limit: usize) -> Vec<Hit> {
        if limit == 0 {
            return Vec::new();
        }
        if limit < ranked.len() {
            ranked.select_nth_unstable_by(limit - 1, |one, other| one.order(*other));
            ranked.truncate(limit);
        }
        ranked.sort_unstable_by(|one, other| one.order(*other));
        let hits = ranked.into_iter().filter_map(|ranked| {
            let tool = Arc::clone(&self.tools.get(ranked.document as usize)?.tool);
            Some(Hit { tool, score: shown(ranked.rank) })
        });
        hits.collect()
    }
}

/// The tools in order of `server:tool`; two of one name in order of what they say.
fn in_order(tools: &[Arc<ToolDefinition>]) -> Vec<Arc<ToolDefinition>> {
    let mut named: Vec<_> = tools.iter().map(|tool| (tool.qualified_name(), tool)).collect();
    named.sort_by(|(name, tool), (other_name, other)| {
        name.cmp(other_name).then_with(|| tool.raw().get().cmp(other.raw().get()))
    });
    named.into_iter().map(|(_, tool)| Arc::clone(tool)).collect()
}

/// A rank as a score. A word in name and description has three quarters of what repeating it for ever could give, and
/// should read as nearly all; the order stays.
fn shown(rank: f32) -> f64 {
    let missing = 1.0 - f64::from(rank);
    1.0 - missing * missing
}

#[cfg(test)]
mod tests;
