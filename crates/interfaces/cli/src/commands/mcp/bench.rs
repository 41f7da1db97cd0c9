//! Servers on the bench: looked at by a person, outside of any run or gateway.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_config::ServeConfig;
use awf_core::{ToolDefinition, ToolProvider as _, Unannotated, Variant, call_with};
use awf_process::{Grace, Guard};
use awf_upstreams::Upstream;

use crate::{
    cli::ToolsetArgs,
    environment::Environment,
    report::CommandError,
    wiring::{Toolset, UpstreamGround, Upstreams, guard, project_here},
};

/// The servers of this place.
pub(super) struct Bench {
    pub(super) upstreams: Upstreams,
    unannotated: Unannotated,
    guard: Guard,
}

impl Bench {
    /// Those that `--config` names, or all of this place. Starts nothing.
    pub(super) fn open(
        args: &ToolsetArgs,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let home = environment.awf_home()?;
        let guard = guard(&environment.executable);
        let (config, dir) = named(args, environment)?;
        let ground = UpstreamGround {
            dir: &dir,
            home: &home,
            guard: guard.clone(),
            max_age: config.annotations_max_age,
            unannotated: config.intent.unannotated,
            environment,
        };
        let upstreams = Upstreams::new(&config.servers, ground);
        Ok(Self { upstreams, unannotated: config.intent.unannotated, guard })
    }

    /// The variant a tool should be called with.
    pub(super) fn call_with(&self, tool: &ToolDefinition) -> Variant {
        call_with(tool.class(), self.unannotated)
    }

    /// The server of that name, with its tools listed.
    pub(super) async fn server(&self, name: &str) -> Result<Arc<Upstream>, CommandError> {
        let upstreams = &self.upstreams;
        let upstream = upstreams.server(name).map_err(|why| upstreams.blamed(name, why))?;
        let listed = upstream.refresh().await;
        listed.map_err(|failure| upstreams.blamed_call(name, failure))?;
        Ok(upstream)
    }

    /// Ends what was started.
    pub(super) async fn close(&self) {
        self.upstreams.close().await;
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "not all servers could be ended");
        }
    }
}

/// The servers that are meant, and where those run that say nothing else.
fn named(
    args: &ToolsetArgs,
    environment: &Environment,
) -> Result<(ServeConfig, PathBuf), CommandError> {
    let here = &environment.current_dir;
    let Some(file) = &args.config else {
        let dir = here.join(project_here(environment));
        return Ok((Toolset::config_of_this_place(environment)?, dir));
    };
    let (config, _) = Toolset::config(file, environment)?;
    let dir = here.join(config.root.as_deref().unwrap_or(Path::new("")));
    Ok((config, dir))
}
