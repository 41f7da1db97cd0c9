//! `awf mcp remove`: takes a server out of the user's configuration or the project's.

use awf_config::remove_server;
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
    match remove_server(&place.file, name) {
        Ok(edit) => {
            say(&format!("`{name}` is no longer in {}", told(&edit.file)));
            Ok(Exit::Ok)
        }
        Err(found) => {
            let error = CommandError::from(found);
            let elsewhere = place.settings.server(name).map(|server| server.origin.file());
            Err(match elsewhere.filter(|file| *file != place.file) {
                Some(file) => error.hinting(&format!("it is in `{}`", told(file))),
                None => error,
            })
        }
    }
}
