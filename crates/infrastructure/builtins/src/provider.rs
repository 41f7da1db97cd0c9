//! The six tools as one provider.

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use awf_core::{
    BadDefinition, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, shown,
};
use awf_process::Guard;
use serde_json::Value;

use crate::{
    arguments::parse,
    bash::{self, Bash, BashArguments, NotRun, ShellSettings},
    edit::{self, EditArguments},
    files::{Protected, RootError, Roots, Workspace},
    glob::{self, GlobArguments},
    grep::{self, GrepArguments},
    read::{self, ReadArguments},
    tool::Listed,
    turns::Turns,
    write::{self, WriteArguments},
};

/// What the host decides about the six tools.
#[derive(Debug)]
pub struct BuiltinSettings {
    /// The directory relative paths start at.
    pub root: PathBuf,
    /// Further directories the file tools reach.
    pub extra_roots: Vec<PathBuf>,
    /// awf's own files and directories: Write and Edit refuse them and all beneath them. `.awf` is always protected.
    pub protected: Vec<PathBuf>,
    /// How Bash runs commands.
    pub shell: ShellSettings,
    /// What Bash starts commands through; closing the provider ends all that was started through it.
    pub guard: Guard,
}

/// Why the tools cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinError {
    /// A root is missing, or the system cannot hold paths beneath one.
    #[error(transparent)]
    Root(#[from] RootError),
    /// A tool object of our own is malformed.
    #[error("a built-in tool is ill defined: {0}")]
    Definition(#[from] BadDefinition),
}

/// Read, Write, Edit, Bash, Glob and Grep.
pub struct Builtins {
    tools: Vec<(Tool, Arc<ToolDefinition>, Value)>,
    roots: Arc<Roots>,
    workspace: Arc<Workspace>,
    walks: Turns,
    bash: Bash,
}

/// Each walk keeps every core busy: more at once would only hold more threads and descriptors.
const WALKS_AT_ONCE: usize = 4;

/// The six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Read,
    Write,
    Edit,
    Bash,
    Glob,
    Grep,
}

impl Builtins {
    /// Opens the roots. Nothing is started before the first call of Bash.
    pub fn new(settings: BuiltinSettings) -> Result<Self, BuiltinError> {
        let BuiltinSettings { root, extra_roots, protected, shell, guard } = settings;
        let roots = Arc::new(Roots::open(&root, &extra_roots)?);
        let workspace = Arc::new(Workspace::new(Arc::clone(&roots), Protected::new(&protected)));
        let listed = [
            (Tool::Read, read::CARD.list::<ReadArguments>()?),
            (Tool::Write, write::CARD.list::<WriteArguments>()?),
            (Tool::Edit, edit::CARD.list::<EditArguments>()?),
            (Tool::Bash, bash::CARD.list::<BashArguments>()?),
            (Tool::Glob, glob::CARD.list::<GlobArguments>()?),
            (Tool::Grep, grep::CARD.list::<GrepArguments>()?),
        ];
        let tools = listed
            .into_iter()
            .map(|(tool, Listed { definition, schema })| (tool, Arc::new(definition), schema))
            .collect();
        Ok(Self {
            tools,
            roots,
            workspace,
            walks: Turns::new(WALKS_AT_ONCE),
            bash: Bash::new(shell, guard),
        })
    }

    async fn run(&self, tool: Tool, call: &ToolCall) -> Result<ToolResult, NotRun> {
        let (raw, cancel) = (&call.arguments, &call.cancel);
        let failed = NotRun::Host;
        match tool {
            Tool::Read => read::run(&self.roots, parse(raw)?, cancel).await.map_err(failed),
            Tool::Write => write::run(&self.workspace, parse(raw)?).await.map_err(failed),
            Tool::Edit => {
                let arguments: EditArguments = parse(raw)?;
                arguments.check()?;
                edit::run(&self.workspace, arguments).await.map_err(failed)
            }
            Tool::Bash => self.bash.run(&self.roots, parse(raw)?, cancel).await,
            Tool::Glob => {
                let arguments = parse(raw)?;
                let _turn = self.walks.turn(cancel).await.map_err(failed)?;
                Ok(glob::run(&self.roots, arguments, cancel).await.map_err(failed)??)
            }
            Tool::Grep => {
                let arguments = parse(raw)?;
                let _turn = self.walks.turn(cancel).await.map_err(failed)?;
                Ok(grep::run(&self.roots, arguments, cancel).await.map_err(failed)??)
            }
        }
    }
}

#[async_trait]
impl ToolProvider for Builtins {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.tools.iter().map(|(_, definition, _)| Arc::clone(definition)).collect())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        let named = |(_, definition, _): &&(Tool, Arc<ToolDefinition>, Value)| {
            definition.name().as_str() == call.name
        };
        let Some((tool, _, schema)) = self.tools.iter().find(named) else {
            return Err(ToolFailure::Unknown { name: shown(&call.name) });
        };
        match self.run(*tool, &call).await {
            Ok(result) => Ok(result),
            Err(NotRun::Arguments(fault)) => Ok(fault.answer(schema)),
            Err(NotRun::Directory(error)) => Ok(ToolResult::error(&error.to_string())),
            Err(NotRun::Host(failure)) => Err(failure),
        }
    }

    async fn close(&self) {
        self.bash.close().await;
    }
}
