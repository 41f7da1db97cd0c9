//! `awf diagram`: a workflow as a picture in text, for Mermaid or Graphviz.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use awf_core::{Code, Workflow, nearest, shown};
use awf_workflow::{DiagramOptions, DiagramStyle, Direction, diagram};
use clap::{Args, ValueEnum};

use crate::{
    environment::Environment,
    output::Output,
    palette::Palette,
    report::{CommandError, Exit},
    snippet::Sources,
    workflows,
};

#[derive(Debug, Args)]
pub(crate) struct DiagramArgs {
    /// A workflow by name, or its file
    workflow: String,
    /// For which program; by default what the name of the output says, else Mermaid
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file (`.mmd`, `.md`, `.dot`, `.gv`) instead of stdout; a file that exists is replaced
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Which way it runs
    #[arg(long, value_enum, ignore_case = true, default_value_t = Way::Tb)]
    direction: Way,
    /// A state that stands out
    #[arg(long, value_name = "STATE")]
    highlight: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Mermaid,
    Dot,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "UPPER")]
enum Way {
    Tb,
    Lr,
    Bt,
    Rl,
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::Tb => Self::TB,
            Way::Lr => Self::LR,
            Way::Bt => Self::BT,
            Way::Rl => Self::RL,
        }
    }
}

pub(crate) fn run(args: &DiagramArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let style = style(args)?;
    let workflow = workflow(&args.workflow, environment)?;
    if let Some(state) = args.highlight.as_deref().filter(|name| workflow.state(name).is_none()) {
        return Err(no_state(state, &workflow));
    }
    let highlight = args.highlight.as_deref();
    let options = DiagramOptions { style, direction: args.direction.into(), highlight };
    let picture = diagram(&workflow, options);
    match &args.output {
        None => Output::stdout().line(&picture)?,
        Some(file) => write(file, &picture)?,
    }
    Ok(Exit::Ok)
}

fn style(args: &DiagramArgs) -> Result<DiagramStyle, CommandError> {
    let extension = args.output.as_deref().and_then(Path::extension);
    let extension = extension.unwrap_or_default().to_string_lossy().to_lowercase();
    if ["png", "svg", "pdf"].contains(&extension.as_str()) {
        let message = format!("awf writes diagrams as text, not as {extension}");
        let hint = format!(
            "draw it with Graphviz: `awf diagram {} --format dot | dot -T{extension}`",
            shown(&args.workflow)
        );
        return Err(CommandError::of(Code::InputInvalidFormat, message).hinting(&hint));
    }
    Ok(match (args.format, extension.as_str()) {
        (Some(Format::Dot), _) | (None, "dot" | "gv") => DiagramStyle::Dot,
        (Some(Format::Mermaid) | None, _) => DiagramStyle::Mermaid,
    })
}

/// A workflow can be drawn as soon as it can be read, whatever else is wrong with it.
fn workflow(name: &str, environment: &Environment) -> Result<Workflow, CommandError> {
    let path = workflows::find(name, environment)?;
    let loaded = workflows::load(&path).map_err(|finding| vec![finding])?;
    loaded.workflow.ok_or_else(|| {
        let mut sources = Sources::default();
        sources.add(&loaded.file, loaded.text);
        let palette = Palette::of(&io::stderr(), environment);
        CommandError::invalid_workflow(loaded.findings, sources, palette)
    })
}

fn no_state(name: &str, workflow: &Workflow) -> CommandError {
    let known = workflow.states.iter().map(|state| state.name.as_str());
    let near: Vec<String> =
        nearest(name, known).into_iter().map(|near| format!("`{}`", shown(near))).collect();
    let message = format!("the workflow has no state `{}`", shown(name));
    let error = CommandError::of(Code::InputInvalidFormat, message);
    if near.is_empty() {
        return error.hinting("name a state of the workflow");
    }
    error.hinting(&format!("did you mean {}?", near.join(" or ")))
}

fn write(file: &Path, picture: &str) -> Result<(), CommandError> {
    let end = if picture.ends_with('\n') { "" } else { "\n" };
    fs::write(file, format!("{picture}{end}")).map_err(|error| {
        let file = shown(&file.display().to_string());
        CommandError::of(Code::IoWriteFailed, format!("cannot write `{file}`: {error}"))
    })
}
