//! The programs there are: what each is called, how it is told what a step wants, and how its stream reads.

use awf_core::{AgentFailure, AgentKind};
use serde_json::Value;

use crate::{
    claude,
    cli::{desk::Desk, errand::Errand, injection::Injection, query::Query, story::Story},
    codex, gemini, opencode,
};

/// Which program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Claude,
    Codex,
    Gemini,
    OpenCode,
}

impl Dialect {
    pub(crate) fn of(kind: AgentKind) -> Option<Self> {
        match kind {
            AgentKind::Claude => Some(Self::Claude),
            AgentKind::Codex => Some(Self::Codex),
            AgentKind::Gemini => Some(Self::Gemini),
            AgentKind::OpenCode => Some(Self::OpenCode),
            AgentKind::OpenAiCompatible | AgentKind::Scripted => None,
        }
    }

    pub(crate) fn kind(self) -> AgentKind {
        match self {
            Self::Claude => AgentKind::Claude,
            Self::Codex => AgentKind::Codex,
            Self::Gemini => AgentKind::Gemini,
            Self::OpenCode => AgentKind::OpenCode,
        }
    }

    /// Its name in the `PATH`.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// What it is started with. Some must be asked or looked at first.
    pub(crate) async fn inject(
        self,
        errand: &Errand<'_>,
        query: &Query<'_>,
        desk: &Desk,
    ) -> Result<Injection, AgentFailure> {
        match self {
            Self::Claude => claude::inject(errand, desk.path()),
            Self::Codex => {
                let lore = codex::Lore::ask(errand, query).await?;
                codex::inject(errand, &lore, desk.path())
            }
            Self::Gemini => {
                let house = gemini::House::look(errand)?;
                gemini::inject(errand, &house, desk.path())
            }
            Self::OpenCode => {
                opencode::refuse_plugins(errand)?;
                opencode::inject(errand, desk.path())
            }
        }
    }

    /// Makes sense of one event of its stream.
    pub(crate) fn read(self, event: &Value, story: &mut Story) {
        match self {
            Self::Claude => claude::read(event, story),
            Self::Codex => codex::read(event, story),
            Self::Gemini => gemini::read(event, story),
            Self::OpenCode => opencode::read(event, story),
        }
    }

    /// Makes sense of one line of its complaints.
    pub(crate) fn complaint(self, line: &str, story: &mut Story) {
        match self {
            Self::Codex => codex::complaint(line, story),
            Self::Claude | Self::Gemini | Self::OpenCode => {}
        }
    }
}
