//! `awf init`: a first workflow that runs with nothing installed. Writes what is not there, and overwrites nothing.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use awf_core::{AgentKind, Code};
use clap::Args;

use crate::{
    environment::Environment,
    output::Output,
    report::{CommandError, Exit},
};

const HELLO: &str = include_str!("init/hello.yaml");
const TURNS: &str = include_str!("init/turns.yaml");
const GITHUB: &str = include_str!("init/github.yml");

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Also write a GitHub Actions file that checks and runs the workflows
    #[arg(long)]
    ci: bool,
}

pub(crate) fn run(args: &InitArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let schema = format!("{:#}\n", awf_config::workflow_schema());
    let mut files = vec![
        (".awf/workflows/hello.yaml", HELLO),
        (".awf/scripted/hello.yaml", TURNS),
        (".awf/workflow.schema.json", &schema),
    ];
    if args.ci {
        files.push((".github/workflows/awf.yml", GITHUB));
    }
    let output = Output::stdout();
    for (name, text) in files {
        let written = write_new(&environment.current_dir.join(name), text).map_err(|error| {
            CommandError::of(Code::IoWriteFailed, format!("cannot write `{name}`: {error}"))
        })?;
        output.line(&match written {
            Written::New => format!("wrote {name}"),
            Written::Kept => format!("kept  {name} (it was there)"),
        })?;
    }
    output.line(&format!("\n{}\nNext: awf run hello", found_agents(environment)))?;
    Ok(Exit::Ok)
}

enum Written {
    New,
    Kept,
}

fn write_new(path: &Path, text: &str) -> io::Result<Written> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| Written::New),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(Written::Kept),
        Err(error) => Err(error),
    }
}

/// Which agents are on the path; they are not started.
fn found_agents(environment: &Environment) -> String {
    let programs = [AgentKind::Claude, AgentKind::Gemini, AgentKind::Codex, AgentKind::OpenCode];
    let found: Vec<&str> = programs
        .into_iter()
        .map(AgentKind::as_str)
        .filter(|name| environment.program(name).is_some())
        .collect();
    match found.as_slice() {
        [] => "Found no agent; hello needs none.".to_owned(),
        found => format!("Found {}; hello needs none.", found.join(", ")),
    }
}
