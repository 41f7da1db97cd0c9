//! `awf schema`: the JSON Schema of a file that a person writes, for editors and checks of one's own.

use clap::{Args, ValueEnum};

use crate::{
    output::Output,
    report::{CommandError, Exit},
    watch,
};

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Of what
    #[arg(value_enum, default_value_t = Subject::Workflow)]
    subject: Subject,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
    /// A workflow's file
    Workflow,
    /// The script of a scripted agent
    Script,
    /// `.awf/config.yaml`
    Config,
    /// A line of `awf run --format json`
    Events,
}

pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, CommandError> {
    let schema = match args.subject {
        Subject::Workflow => awf_config::workflow_schema(),
        Subject::Script => awf_config::script_schema(),
        Subject::Config => awf_config::config_schema(),
        Subject::Events => watch::events_schema(),
    };
    Output::stdout().json(&schema)?;
    Ok(Exit::Ok)
}
