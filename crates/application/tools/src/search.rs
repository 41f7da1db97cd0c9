//! Finds tools by what they say they do.

use std::sync::Arc;

use awf_core::{ToolDefinition, Unannotated};

/// Tools, ready to be searched.
pub struct SearchIndex {
    tools: Vec<(String, Arc<ToolDefinition>)>,
}

/// What a search came to.
pub struct Found {
    /// How many tools match.
    pub total: usize,
    /// The best of them, the best first.
    pub hits: Vec<Hit>,
}

/// A tool that matches.
pub struct Hit {
    /// The tool.
    pub tool: Arc<ToolDefinition>,
    /// How well it matches, above 0 and up to 1.
    pub score: f64,
}

impl SearchIndex {
    /// Reads the tools.
    pub fn build(tools: &[Arc<ToolDefinition>], _: Unannotated) -> Self {
        let read = |tool: &Arc<ToolDefinition>| {
            let text = format!("{} {}", tool.qualified_name(), tool.description());
            (text.to_lowercase(), tool.clone())
        };
        Self { tools: tools.iter().map(read).collect() }
    }

    /// The best `limit` tools.
    pub fn search(&self, query: &str, limit: usize) -> Found {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut hits: Vec<Hit> = Vec::new();
        for (text, tool) in &self.tools {
            let found = words.iter().filter(|word| text.contains(**word)).count();
            if found > 0 {
                let share = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
                hits.push(Hit { tool: tool.clone(), score: share(found) / share(words.len()) });
            }
        }
        hits.sort_by(|one, other| other.score.total_cmp(&one.score));
        let total = hits.len();
        hits.truncate(limit);
        Found { total, hits }
    }
}
