//! What a scripted model was asked, in words that are the same for all protocols.

use serde::Serialize;

use crate::models::{
    conversation::{Conversation, TurnKind},
    reply::{Call, Reply},
};

/// How much of a text is kept.
const KEPT: usize = 64 * 1024;

/// The protocols models are asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelProtocol {
    /// Anthropic's Messages.
    Anthropic,
    /// Gemini's generateContent.
    Gemini,
    /// `OpenAI`'s Responses.
    Responses,
    /// `OpenAI`'s Chat Completions, which many others speak.
    Chat,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelRequest {
    /// In which protocol.
    pub protocol: ModelProtocol,
    /// Of which model.
    pub model: String,
    /// The names of the tools offered, as the model sees them; one in a namespace is `namespace/name`, one that is reached
    /// from within another is `exec>name`.
    pub tools: Vec<String>,
    /// The results of tools that its history holds.
    pub results: Vec<ToolResultSeen>,
    /// What the model is told beforehand.
    pub system: String,
    /// What it is asked: texts of the user, and what the agent puts among them.
    pub prompts: Vec<String>,
    /// How many answers its history holds.
    pub turn: usize,
    /// What it was answered.
    pub answer: ModelAnswer,
}

/// The result of a tool, as the model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolResultSeen {
    /// Whose it is, if the history holds the call.
    pub name: Option<String>,
    /// What it says.
    pub text: String,
    /// Whether it is marked as an error; two of the protocols have no such mark.
    pub is_error: bool,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelAnswer {
    /// In words, or with calls, or both.
    Said {
        /// The words.
        text: String,
        /// The names of the tools called.
        calls: Vec<String>,
    },
    /// With a status.
    Refused(u16),
    /// Not at all.
    Silent,
}

impl ModelRequest {
    pub(super) fn new(protocol: ModelProtocol, talk: Conversation, kind: &TurnKind) -> Self {
        Self {
            protocol,
            model: talk.model,
            tools: talk.tools.into_iter().map(|tool| tool.name).collect(),
            results: talk.results.into_iter().map(cut_result).collect(),
            system: cut(talk.system),
            prompts: talk.prompts.into_iter().map(cut).collect(),
            turn: talk.turn,
            answer: ModelAnswer::from(kind),
        }
    }
}

impl From<&TurnKind> for ModelAnswer {
    fn from(kind: &TurnKind) -> Self {
        match kind {
            TurnKind::Answer(Reply { text, calls }) => {
                let calls = calls.iter().map(Call::shown).collect();
                Self::Said { text: text.clone(), calls }
            }
            TurnKind::Refuse(status) => Self::Refused(status.as_u16()),
            TurnKind::Silence => Self::Silent,
        }
    }
}

fn cut_result(mut result: ToolResultSeen) -> ToolResultSeen {
    result.text = cut(result.text);
    result
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(KEPT));
    text
}
