//! Servers on the bench: looked at by a person, outside of any run or gateway.

use awf_core::{Code, ToolDefinition, ToolFailure, Unannotated, Variant, call_with};
use awf_process::{Grace, Guard};

use crate::{
    environment::Environment,
    report::CommandError,
    wiring::{UpstreamGround, Upstreams, guard},
    workflows::{self, Project},
};

/// The servers of this place.
pub(super) struct Bench {
    pub(super) upstreams: Upstreams,
    unannotated: Unannotated,
    guard: Guard,
}

impl Bench {
    /// Starts nothing.
    pub(super) fn open(environment: &Environment) -> Result<Self, CommandError> {
        let dir = Project::dir_of(&environment.current_dir.join("any"), environment);
        let settings = workflows::settings(&dir, environment)?;
        let home = environment.awf_home()?;
        let guard = guard(&environment.executable);
        let ground = UpstreamGround {
            dir: &environment.current_dir.join(dir),
            home: &home,
            guard: guard.clone(),
            max_age: settings.annotations_max_age,
            environment,
        };
        let upstreams = Upstreams::new(&settings.servers, ground);
        Ok(Self { upstreams, unannotated: settings.intent.unannotated, guard })
    }

    /// The variant a tool should be called with.
    pub(super) fn call_with(&self, tool: &ToolDefinition) -> Variant {
        call_with(tool.class(), self.unannotated)
    }

    /// A server that does not answer.
    pub(super) fn unavailable(failure: &ToolFailure) -> CommandError {
        CommandError::of(Code::ServerUnavailable, failure.to_string())
    }

    /// Ends what was started.
    pub(super) async fn close(&self) {
        self.upstreams.close().await;
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all servers could be ended");
        }
    }
}
