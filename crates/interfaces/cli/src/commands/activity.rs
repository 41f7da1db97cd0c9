//! `awf activity`: what was done, when, by whom, with which intent; and whether the log can be believed.

use clap::{Args, Subcommand};

use crate::{
    environment::Environment,
    report::{CommandError, Exit},
};

mod export;
mod filter;
mod head;
mod list;
mod show;
mod summary;
mod verify;
mod watch;

#[derive(Debug, Args)]
pub(crate) struct ActivityArgs {
    #[command(subcommand)]
    command: ActivityCommand,
}

#[derive(Debug, Subcommand)]
enum ActivityCommand {
    /// List calls, newest first
    List(list::ListArgs),
    /// Show one call in full
    Show(show::ShowArgs),
    /// Show calls as they come to an end, until Ctrl-C
    Watch(watch::WatchArgs),
    /// Count calls: by status, intent, server and tool
    Summary(summary::SummaryArgs),
    /// Write all calls down, newest first, for other programs
    Export(export::ExportArgs),
    /// Print the hash that vouches for everything sealed so far, to be kept where nobody here can write
    Head,
    /// Check that no event was edited, inserted, reordered or deleted
    Verify(verify::VerifyArgs),
}

pub(crate) async fn run(
    args: &ActivityArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    match &args.command {
        ActivityCommand::List(args) => list::run(args, environment).await,
        ActivityCommand::Show(args) => show::run(args, environment).await,
        ActivityCommand::Watch(args) => watch::run(args, environment).await,
        ActivityCommand::Summary(args) => summary::run(args, environment).await,
        ActivityCommand::Export(args) => export::run(args, environment).await,
        ActivityCommand::Head => head::run(environment).await,
        ActivityCommand::Verify(args) => verify::run(args, environment).await,
    }
}
