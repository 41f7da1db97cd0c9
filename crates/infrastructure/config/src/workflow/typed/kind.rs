//! The words that say what a state is and how it ends.

use awf_core::{Located, Strategy};
use serde_json::{Value, json};

use crate::{
    reader::{Findings, Shape, Word},
    schema::Definitions,
    yaml::Node,
};

/// A plugin and its type.
const CUSTOM: &str = "^[A-Za-z][A-Za-z0-9_-]*\\.[A-Za-z0-9_.-]+$";

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
    /// A plugin's own type, which has a dot and so is no word.
    Custom,
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
        if self == Self::Custom {
            return CUSTOM.to_owned();
        }
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

/// What `type` says: a word, or a plugin's own type.
#[derive(Clone, Debug)]
pub(crate) struct TypeTyped {
    pub(crate) word: TypeWord,
    /// As written.
    pub(crate) name: Located<String>,
}

impl Shape for TypeTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, "the kind of the state");
            return None;
        };
        let written = scalar.text.to_ascii_lowercase();
        let known = TypeWord::WORDS.iter().find(|(known, _)| *known == written);
        let word = known.map(|(_, word)| *word);
        let word = word.or_else(|| is_custom(&scalar.text).then_some(TypeWord::Custom));
        if word.is_none() {
            let words: Vec<&str> = TypeWord::WORDS.iter().map(|(word, _)| *word).collect();
            findings.not_one_of(node, &written, &words);
        }
        let name = Located { value: scalar.text.clone(), span: findings.span(node.place) };
        word.map(|word| Self { word, name })
    }

    fn schema(_: &mut Definitions) -> Value {
        let words: Vec<&str> = TypeWord::WORDS.iter().map(|(word, _)| *word).collect();
        let mut patterns: Vec<String> = Vec::new();
        let kinds = TypeWord::WORDS.iter().map(|(_, kind)| *kind).chain([TypeWord::Custom]);
        for pattern in kinds.map(TypeWord::pattern) {
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

/// `plugin.type`, as `CUSTOM` has it.
fn is_custom(text: &str) -> bool {
    let belongs = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let Some((plugin, own)) = text.split_once('.') else { return false };
    plugin.starts_with(|c: char| c.is_ascii_alphabetic())
        && plugin.chars().all(belongs)
        && !own.is_empty()
        && own.chars().all(|c| belongs(c) || c == '.')
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
