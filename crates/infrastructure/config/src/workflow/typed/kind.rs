//! The words that say what a state is and how it ends.

use awf_core::{Code, Strategy, nearest, shown};
use serde_json::{Value, json};

use crate::{
    reader::{Findings, Shape, Word},
    schema::Definitions,
    yaml::Node,
};

/// The word of `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeWord {
    Command,
    Agent,
    Parallel,
    ForEach,
    While,
    Operation,
    Call,
    Terminal,
}

impl Word for TypeWord {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("step", Self::Command),
        ("command", Self::Command),
        ("agent", Self::Agent),
        ("parallel", Self::Parallel),
        ("for_each", Self::ForEach),
        ("while", Self::While),
        ("operation", Self::Operation),
        ("call_workflow", Self::Call),
        ("terminal", Self::Terminal),
    ];
}

impl TypeWord {
    /// A pattern for the words that mean this, in whatever case.
    pub(crate) fn pattern(self) -> String {
        let words = Self::WORDS.iter().filter(|(_, kind)| *kind == self).map(|(word, _)| {
            let letter = |c: char| match c {
                '_' => "_".to_owned(),
                c => format!("[{}{c}]", c.to_ascii_uppercase()),
            };
            word.chars().map(letter).collect::<String>()
        });
        format!("^({})$", words.collect::<Vec<_>>().join("|"))
    }
}

impl Shape for TypeWord {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, "the kind of the state");
            return None;
        };
        let word = scalar.text.to_ascii_lowercase();
        let known = Self::WORDS.iter().find(|(known, _)| *known == word);
        if known.is_none() {
            refuse_type(node, &word, findings);
        }
        known.map(|(_, kind)| *kind)
    }

    fn schema(_: &mut Definitions) -> Value {
        let words: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
        let mut patterns: Vec<String> = Vec::new();
        for (_, kind) in Self::WORDS {
            let pattern = kind.pattern();
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        json!({ "anyOf": [
            { "enum": words },
            { "type": "string", "pattern": patterns.join("|") },
        ] })
    }
}

fn refuse_type(node: &Node, word: &str, findings: &mut Findings<'_>) {
    let words: Vec<&str> = TypeWord::WORDS.iter().map(|(word, _)| *word).collect();
    if word.contains('.') && nearest(word, words.iter().copied()).is_empty() {
        findings.hint(
            Code::ParseUnsupported,
            node.place,
            format!("`{}` is a step type of a plugin, and awf has none", shown(word)),
            "use an operation of the plugin: `type: operation` with `operation: plugin.name`",
        );
    } else {
        findings.not_one_of(node, word, &words);
    }
}

/// Whether a terminal state is a good end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Success,
    Failure,
}

impl Word for End {
    const WORDS: &'static [(&'static str, Self)] =
        &[("success", Self::Success), ("failure", Self::Failure)];
}

impl Word for Strategy {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("all_succeed", Self::AllSucceed),
        ("any_succeed", Self::AnySucceed),
        ("best_effort", Self::BestEffort),
    ];
}
