//! `awf mcp remove`: takes a server out of the user's configuration or the project's, and back what was approved of it.

use awf_config::{ServerSetting, remove_server};
use awf_core::Code;
use awf_upstreams::Approvals;
use clap::Args;

use crate::{
    commands::mcp::place::{Place, PlaceArgs, told},
    environment::Environment,
    report::{CommandError, Exit, say},
};

#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// The server
    name: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(args: &RemoveArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let place = Place::open(&args.place, environment)?;
    let name = &args.name;
    let edit = remove_server(&place.file, name).map_err(|found| {
        let error = CommandError::from(found);
        let elsewhere = place.settings.server(name).map(|server| server.origin.file());
        match elsewhere.filter(|file| *file != place.file) {
            Some(file) => error.hinting(&format!("it is in `{}`", told(file))),
            None => error,
        }
    })?;
    say(&format!("`{name}` is no longer in {}", told(&edit.file)));
    if let Some(server) = place.here(name) {
        disown(server, environment)?;
    }
    Ok(Exit::Ok)
}

/// Whoever writes the same down again asks again.
fn disown(server: &ServerSetting, environment: &Environment) -> Result<(), CommandError> {
    let approvals = Approvals::open(&environment.awf_home()?);
    let fingerprint = server.fingerprint();
    if approvals.is_approved(&fingerprint) {
        approvals
            .revoke(&fingerprint)
            .map_err(|error| CommandError::of(Code::IoWriteFailed, error.to_string()))?;
        say(&format!("`{}` is no longer approved", server.name));
    }
    Ok(())
}
