//! What to type instead of a call that was refused.

use awf_core::{ExposedTool, Refusal, RefusalCode};

use crate::{table::printable, wiring::Toolset};

/// A hint that knows the case, where there is one.
pub(super) async fn of(refusal: &Refusal, name: &str, toolset: &Toolset) -> Option<String> {
    match refusal.code {
        RefusalCode::ServerMismatch => {
            Some(format!("awf call tool-destructive {}", printable(name)))
        }
        RefusalCode::InvalidName => full_name(name, toolset).await,
        RefusalCode::InvalidIntent
        | RefusalCode::MissingIntent
        | RefusalCode::MissingOperationType
        | RefusalCode::InvalidOperationType
        | RefusalCode::InvalidSensitivity
        | RefusalCode::ReasonTooLong
        | RefusalCode::IntentMismatch
        | RefusalCode::IntentConflict
        | RefusalCode::UnknownServer
        | RefusalCode::UnknownTool
        | RefusalCode::AboveCeiling
        | RefusalCode::JournalUnavailable
        | RefusalCode::ToolNotApproved
        | RefusalCode::ToolChanged
        | RefusalCode::InvalidArguments => None,
    }
}

/// The one tool that goes by this name, whatever its server.
async fn full_name(name: &str, toolset: &Toolset) -> Option<String> {
    toolset.gather().await;
    let exposed = toolset.router.exposed().await;
    let tools = exposed.tools().iter().map(ExposedTool::tool);
    let mut named = tools.filter(|tool| tool.name().as_str() == name);
    let only = named.next().filter(|_| named.next().is_none())?;
    Some(format!("did you mean `{}`?", only.qualified_name()))
}
