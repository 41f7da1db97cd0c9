//! `awf mcp list`: every server that some file names, and what becomes of it. Starts nothing.

use std::path::Path;

use awf_config::{ServerOrigin, ServerSetting, Settings, Switch};
use awf_core::Diagnostic;
use awf_upstreams::Approvals;
use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::mcp::{Format, sheet},
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    table::Table,
    workflows::{self, Project},
};

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// What to print
    #[arg(short, long, alias = "format", value_enum, default_value_t = Format::Table)]
    output: Format,
}

pub(super) fn run(args: &ListArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let dir = Project::dir_of(&environment.current_dir.join("any"), environment);
    let settings = workflows::settings(&dir, environment)?;
    let approvals = Approvals::open(&environment.awf_home()?);
    let rows = rows(&settings, |fingerprint| approvals.is_approved(fingerprint));
    let output = Output::stdout();
    match args.output {
        Format::Json => output.json(&rows.iter().map(Row::document).collect::<Vec<_>>())?,
        Format::Table if rows.is_empty() => {
            say(
                "no MCP servers are configured: awf mcp add <name> -- <command>, or awf mcp add <name> --url <url>",
            );
        }
        Format::Table => output.line(&table(&rows))?,
    }
    for finding in rows.iter().flat_map(|row| row.findings).chain(&settings.warnings) {
        say(&line(finding));
    }
    if let Some(row) = rows.iter().find(|row| row.state == State::NeedsApproval) {
        say(&format!("look at it and approve it: awf mcp approve {}", row.name));
    }
    Ok(Exit::Ok)
}

/// What becomes of a server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    NeedsApproval,
    Off,
    Shadowed,
    Unsupported,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready to start",
            Self::NeedsApproval => "needs approval",
            Self::Off => "off",
            Self::Shadowed => "shadowed",
            Self::Unsupported => "unsupported",
        }
    }
}

struct Row<'s> {
    name: &'s str,
    kind: &'static str,
    file: &'s Path,
    line: usize,
    state: State,
    target: String,
    given: Vec<String>,
    findings: &'s [Diagnostic],
}

impl<'s> Row<'s> {
    fn of(server: &'s ServerSetting, state: State) -> Self {
        Self {
            name: &server.name,
            kind: sheet::kind(&server.transport),
            file: server.origin.file(),
            line: server.place.line,
            state,
            target: sheet::target(&server.transport),
            given: sheet::given(&server.transport),
            findings: &[],
        }
    }

    fn document(&self) -> Value {
        let problems: Vec<&str> = self.findings.iter().map(|one| one.message.as_str()).collect();
        json!({
            "name": self.name,
            "kind": self.kind,
            "file": self.file,
            "line": self.line,
            "state": self.state.word(),
            "target": self.target,
            "given": self.given,
            "problems": problems,
        })
    }
}

fn rows(settings: &Settings, is_approved: impl Fn(&str) -> bool) -> Vec<Row<'_>> {
    let state = |server: &ServerSetting| match (server.switch, &server.origin) {
        (Switch::Off, _) => State::Off,
        (Switch::On, ServerOrigin::User(_) | ServerOrigin::Given(_)) => State::Ready,
        (Switch::On, ServerOrigin::Project(_)) if is_approved(&server.fingerprint()) => {
            State::Ready
        }
        (Switch::On, ServerOrigin::Project(_)) => State::NeedsApproval,
    };
    let known = settings.servers.iter().map(|server| Row::of(server, state(server)));
    let shadowed = settings.shadowed.iter().map(|server| Row::of(server, State::Shadowed));
    let unusable = settings.unusable.iter().map(|server| Row {
        name: &server.name,
        kind: "",
        file: server.origin.file(),
        line: server.place.line,
        state: State::Unsupported,
        target: String::new(),
        given: Vec::new(),
        findings: &server.findings,
    });
    known.chain(shadowed).chain(unusable).collect()
}

fn table(rows: &[Row<'_>]) -> String {
    let mut table = Table::new(["NAME", "KIND", "STATE", "WHERE", "COMMAND OR URL"]);
    for row in rows {
        table.row([
            row.name.to_owned(),
            row.kind.to_owned(),
            row.state.word().to_owned(),
            row.file.display().to_string(),
            row.target.clone(),
        ]);
    }
    table.to_string()
}

/// What is wrong and where, on one line.
fn line(finding: &Diagnostic) -> String {
    let place = finding.span.as_ref().map(|span| format!("{}:{}: ", span.file, span.line));
    let hint = finding.hint.as_ref().map(|hint| format!(" ({hint})"));
    let (place, hint) = (place.unwrap_or_default(), hint.unwrap_or_default());
    format!("{place}{}{hint}", finding.message)
}
