//! The only place where errors become words and exit codes.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use awf_core::{
    ActivityError, Area, Code, Diagnostic, Refusal, RefusalCode, RunFinished, ToolFailure,
};
use awf_tools::{FrontError, NoSource, RouterError};
use clap::error::ErrorKind;

use crate::{
    palette::Palette,
    secrets,
    snippet::{Sources, render},
};

/// Exit codes, stable (decision D14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Ok,
    /// The user asked for something that cannot be done as asked.
    User,
    /// The workflow is not valid.
    Workflow,
    /// A tool ran and failed.
    Failed,
    /// The machine is in the way.
    System,
    /// Refused by intent or policy.
    Refused,
    /// The isolation of an agent is not proven.
    Unproven,
    /// Stopped by a signal.
    Interrupted,
    /// As the run of a workflow says: a failure, a timeout, or a status of the workflow's own.
    Run(u8),
}

impl Exit {
    /// What a finished run exits with.
    pub(crate) fn of_run(finished: &RunFinished) -> Self {
        Self::Run(finished.exit_code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::User => 1,
            Exit::Workflow => 2,
            Exit::Failed => 3,
            Exit::System => 4,
            Exit::Refused => 5,
            Exit::Unproven => 6,
            Exit::Interrupted => 130,
            Exit::Run(code) => code,
        })
    }
}

/// A command that could not do its work.
#[derive(Debug)]
pub(crate) struct CommandError {
    exit: Exit,
    diagnostics: Vec<Diagnostic>,
    /// The texts the findings are about, and how to show them.
    sources: Sources,
    palette: Palette,
}

impl CommandError {
    /// One finding; the exit code follows from whose fault it is.
    pub(crate) fn of(code: Code, message: impl Into<String>) -> Self {
        vec![Diagnostic::new(code, message)].into()
    }

    /// A workflow that cannot be used: its findings, shown with the lines they are on. Whatever their codes, it is the
    /// workflow that has to be mended.
    pub(crate) fn invalid_workflow(
        diagnostics: Vec<Diagnostic>,
        sources: Sources,
        palette: Palette,
    ) -> Self {
        Self { exit: Exit::Workflow, diagnostics, sources, palette }
    }

    /// A person stopped the command; nobody has to be told.
    pub(crate) fn interrupted() -> Self {
        Self { exit: Exit::Interrupted, ..Vec::new().into() }
    }

    /// What was found, to be told among others.
    pub(crate) fn into_findings(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// The same, with a hint that knows the case.
    #[must_use]
    pub(crate) fn hinting(mut self, hint: &str) -> Self {
        if let Some(last) = self.diagnostics.last_mut() {
            last.hint = Some(hint.to_owned());
        }
        self
    }
}

impl From<Vec<Diagnostic>> for CommandError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let exit = match diagnostics.first().map(|finding| finding.code.area()) {
            Some(Area::User) => Exit::User,
            Some(Area::Workflow) => Exit::Workflow,
            Some(Area::Execution) => Exit::Failed,
            Some(Area::System) | None => Exit::System,
        };
        Self { exit, diagnostics, sources: Sources::default(), palette: Palette::Plain }
    }
}

impl From<ActivityError> for CommandError {
    fn from(error: ActivityError) -> Self {
        let code = match &error {
            ActivityError::Read { .. } | ActivityError::Write { .. } => Code::ActivityUnavailable,
            ActivityError::Newer { .. } => Code::ActivityNewer,
        };
        Self::of(code, error.to_string())
    }
}

impl From<RouterError> for CommandError {
    fn from(error: RouterError) -> Self {
        let code = match &error {
            RouterError::Collision(collision) => collision.code(),
            RouterError::List(_) => Code::InternalUnmapped,
        };
        Self::of(code, error.to_string())
    }
}

impl From<FrontError> for CommandError {
    fn from(error: FrontError) -> Self {
        let code = match error {
            FrontError::Connection(_) => Code::IoReadFailed,
            FrontError::List(_) | FrontError::Register(_) => Code::InternalUnmapped,
        };
        Self::of(code, error.to_string())
    }
}

impl From<NoSource> for CommandError {
    fn from(why: NoSource) -> Self {
        Self::of(why.code, why.reason)
    }
}

impl From<ToolFailure> for CommandError {
    fn from(failure: ToolFailure) -> Self {
        let code = match failure {
            ToolFailure::Unknown { .. } => Code::IntentUnknownTool,
            ToolFailure::NotApproved(_) => Code::ServerNotApproved,
            ToolFailure::Cancelled | ToolFailure::Unavailable(_) | ToolFailure::Internal { .. } => {
                Code::InternalUnmapped
            }
        };
        Self::of(code, failure.to_string())
    }
}

/// A refused call: what was asked for does not exist (the user's to mend), or may not be done.
impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        let exit = match refusal.code {
            RefusalCode::InvalidName | RefusalCode::UnknownServer | RefusalCode::UnknownTool => {
                Exit::User
            }
            RefusalCode::JournalUnavailable => Exit::System,
            RefusalCode::InvalidIntent
            | RefusalCode::MissingIntent
            | RefusalCode::MissingOperationType
            | RefusalCode::InvalidOperationType
            | RefusalCode::InvalidSensitivity
            | RefusalCode::ReasonTooLong
            | RefusalCode::IntentMismatch
            | RefusalCode::IntentConflict
            | RefusalCode::ServerMismatch
            | RefusalCode::AboveCeiling
            | RefusalCode::ToolNotApproved
            | RefusalCode::ToolChanged
            | RefusalCode::InvalidArguments => Exit::Refused,
        };
        Self { exit, ..Self::of(refusal.code.into(), refusal.message) }
    }
}

/// Prints a failed command's findings on stderr and gives its exit code.
pub(crate) fn report(error: &CommandError) -> ExitCode {
    let mut texts = Sources::default();
    texts.add_files_of(&error.diagnostics);
    let mut stderr = io::stderr().lock();
    for finding in &error.diagnostics {
        // Nobody is left to tell when stderr is closed; the exit code still speaks.
        let finding = texts.cleaned(&error.sources.cleaned(finding));
        let text = render(&finding, &error.sources, error.palette);
        drop(writeln!(stderr, "{}", secrets::told(&text)));
    }
    error.exit.into()
}

/// Something a person may want to know; stdout stays empty.
pub(crate) fn say(text: &str) {
    // Nobody is left to tell when stderr is closed.
    drop(writeln!(io::stderr().lock(), "{}", secrets::told(text)));
}

/// What clap has to say: help and version are data, anything else is a mistake of the user.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let (exit, shown) = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            (Exit::Ok, io::stdout().write_all(error.to_string().as_bytes()))
        }
        _ => {
            let text = secrets::quoted(&error.to_string());
            (Exit::User, io::stderr().write_all(text.as_bytes()))
        }
    };
    match shown {
        Ok(()) => exit.into(),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit.into(),
        Err(_) => Exit::System.into(),
    }
}
