//! The programs there are: what each is called, how it is told what a step wants, and how its stream reads.

use awf_core::{AgentFailure, AgentKind};
use serde_json::Value;

use crate::{
    claude,
    cli::{desk::Desk, errand::Errand, injection::Injection, query::Query, story::Story},
};

/// Which program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Claude,
}

impl Dialect {
    pub(crate) fn of(kind: AgentKind) -> Option<Self> {
        match kind {
            AgentKind::Claude => Some(Self::Claude),
            AgentKind::Codex
            | AgentKind::Gemini
            | AgentKind::OpenCode
            | AgentKind::OpenAiCompatible
            | AgentKind::Scripted => None,
        }
    }

    pub(crate) fn kind(self) -> AgentKind {
        match self {
            Self::Claude => AgentKind::Claude,
        }
    }

    /// Its name in the `PATH`.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Claude => "claude",
        }
    }

    /// What it is started with. Some must be asked a question first.
    pub(crate) async fn inject(
        self,
        errand: &Errand<'_>,
        _query: &Query<'_>,
        desk: &Desk,
    ) -> Result<Injection, AgentFailure> {
        match self {
            Self::Claude => claude::inject(errand, desk.path()),
        }
    }

    /// Makes sense of one event of its stream.
    pub(crate) fn read(self, event: &Value, story: &mut Story) {
        match self {
            Self::Claude => claude::read(event, story),
        }
    }
}
