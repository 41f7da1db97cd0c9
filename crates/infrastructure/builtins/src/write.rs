//! Write: a file's whole content, put in place in one step.

use std::sync::Arc;

use awf_core::{ToolFailure, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    answer::{counted, from_files},
    blocking,
    files::{FileError, Replacement, Workspace},
    tool::{Effect, ToolCard},
};

pub(crate) const CARD: ToolCard = ToolCard {
    name: "Write",
    title: "Write file",
    description: "Creates a file or replaces its whole content, atomically: readers see the old content or the new, \
                  never a part. Missing parent directories are created, the mode of an existing file is kept. \
                  To change a part of a file use Edit. Refused: read-only and hard-linked files, `.awf`, `.git`, \
                  configuration files that make agents start programs.",
    effect: Effect::Sets,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteArguments {
    /// The file to write: relative to the root directory, or absolute inside it.
    #[serde(alias = "path")]
    file_path: String,
    /// The whole new content of the file.
    content: String,
}

pub(crate) async fn run(
    workspace: &Arc<Workspace>,
    arguments: WriteArguments,
) -> Result<ToolResult, ToolFailure> {
    let workspace = Arc::clone(workspace);
    blocking::run_to_end(CARD.name, move || from_files(write(&workspace, &arguments))).await
}

fn write(workspace: &Workspace, arguments: &WriteArguments) -> Result<String, FileError> {
    let mut target = workspace.target(&arguments.file_path)?;
    let _turn = workspace.turn(&target);
    let previous = target.previous()?;
    target.make_parents()?;
    let (replacement, done) = match &previous {
        Some(stat) => (Replacement::Over(stat), "replaced"),
        None => (Replacement::New, "created"),
    };
    target.replace(arguments.content.as_bytes(), replacement)?;
    let size = counted(arguments.content.len() as u64, "byte");
    Ok(format!("{done} `{}` ({size})", target.shown()))
}
