//! `awf activity head`: one hash for the whole log, to anchor elsewhere. A chain without a key cannot show that its newest
//! end was cut off; the hash kept elsewhere can.

use awf_core::Code;

use crate::{
    environment::Environment,
    output::Output,
    report::{self, CommandError, Exit},
};

pub(crate) async fn run(environment: &Environment) -> Result<Exit, CommandError> {
    let home = environment.awf_home()?;
    let head = tokio::task::spawn_blocking(move || awf_store::head(&home)).await;
    let head =
        head.map_err(|error| CommandError::of(Code::InternalUnmapped, error.to_string()))??;
    match head {
        Some(head) => Output::stdout().line(&format!("{} {}", head.hash, head.entries))?,
        None => report::say("nothing is on record yet"),
    }
    Ok(Exit::Ok)
}
