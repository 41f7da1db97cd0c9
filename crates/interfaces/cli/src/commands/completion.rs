//! `awf completion`: the script a shell sources to complete awf's commands and flags.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::{
    cli::Cli,
    output::Output,
    report::{CommandError, Exit},
};

#[derive(Debug, Args)]
pub(crate) struct CompletionArgs {
    /// The shell to write for
    shell: Shell,
}

pub(crate) fn run(args: &CompletionArgs) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "awf", &mut script);
    Output::stdout().write(&script)?;
    Ok(Exit::Ok)
}
