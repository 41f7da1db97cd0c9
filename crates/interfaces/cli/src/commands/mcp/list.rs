//! `awf mcp list`: every server that some file names, and what becomes of it. Starts nothing.

use std::path::Path;

use awf_config::{ServerOrigin, ServerSetting, Settings, Switch, Unusable, UnusableServer};
use awf_core::{Code, Diagnostic, Span, shown};
use awf_upstreams::Approvals;
use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::mcp::{Format, sheet},
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    snippet::Sources,
    table::Table,
    wiring::{Filling, learn_servers},
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
    learn_servers(&settings.servers, environment);
    let approvals = Approvals::open(&environment.awf_home()?);
    let filling = Filling::new(&environment.current_dir.join(&dir), environment);
    let rows = rows(&settings, &Ground { approvals, filling });
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
    for finding in rows.iter().flat_map(|row| &row.findings).chain(&settings.warnings) {
        say(&line(finding));
    }
    let waiting = rows.iter().filter(|row| row.state == State::NeedsApproval);
    let commands: Vec<String> =
        waiting.map(|row| format!("awf mcp approve {}", row.name)).collect();
    if !commands.is_empty() {
        let it = if commands.len() == 1 { "it" } else { "them" };
        say(&format!("look at {it} and approve {it}: {}", commands.join(", ")));
    }
    Ok(Exit::Ok)
}

/// What it depends on whether a server can start.
struct Ground {
    approvals: Approvals,
    filling: Filling,
}

/// What becomes of a server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// Something it needs is not there.
    Lacking,
    NeedsApproval,
    Off,
    Shadowed,
    Unsupported,
    /// It is awf itself.
    Itself,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready to start",
            Self::Lacking => "cannot start",
            Self::NeedsApproval => "needs approval",
            Self::Off => "off",
            Self::Shadowed => "shadowed",
            Self::Unsupported => "unsupported",
            Self::Itself => "not used",
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
    findings: Vec<Diagnostic>,
}

impl<'s> Row<'s> {
    fn of(server: &'s ServerSetting, (state, findings): (State, Vec<Diagnostic>)) -> Self {
        Self {
            name: &server.name,
            kind: sheet::kind(&server.transport),
            file: server.origin.file(),
            line: server.place.line,
            state,
            target: sheet::target(&server.transport),
            given: sheet::given(&server.transport),
            findings,
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

fn rows<'s>(settings: &'s Settings, ground: &Ground) -> Vec<Row<'s>> {
    let known = settings.servers.iter().map(|server| Row::of(server, ground.state(server)));
    let shadowed =
        settings.shadowed.iter().map(|server| Row::of(server, (State::Shadowed, Vec::new())));
    let mut texts = Sources::default();
    texts.add_files_of(settings.unusable.iter().flat_map(|server| server.why.findings()));
    let unusable = settings.unusable.iter().map(|server| unusable(server, &texts));
    known.chain(shadowed).chain(unusable).collect()
}

impl Ground {
    /// What becomes of a server, and what is to be told of that.
    fn state(&self, server: &ServerSetting) -> (State, Vec<Diagnostic>) {
        let approved = match &server.origin {
            ServerOrigin::User(_) | ServerOrigin::Given(_) => true,
            ServerOrigin::Project(_) => self.approvals.is_approved(&server.fingerprint()),
        };
        match (server.switch, approved) {
            (Switch::Off, _) => (State::Off, Vec::new()),
            (Switch::On, false) => (State::NeedsApproval, self.changed(server)),
            (Switch::On, true) => match self.filling.fault(server) {
                Some(fault) => (State::Lacking, vec![fault]),
                None => (State::Ready, Vec::new()),
            },
        }
    }

    /// Whoever approved it did not approve this.
    fn changed(&self, server: &ServerSetting) -> Vec<Diagnostic> {
        if !self.approvals.knew(&server.name, server.ground.as_deref()) {
            return Vec::new();
        }
        let message = format!("server `{}` changed since it was approved", shown(&server.name));
        vec![note(Code::ServerNotApproved, message, &server.place)]
    }
}

fn unusable<'s>(server: &'s UnusableServer, texts: &Sources) -> Row<'s> {
    let (state, findings) = match &server.why {
        Unusable::Faulty(found) => {
            (State::Unsupported, found.iter().map(|one| texts.cleaned(one)).collect())
        }
        Unusable::Itself => {
            let message = "it is awf itself, and is not used";
            (State::Itself, vec![note(Code::NameCollision, message, &server.place)])
        }
    };
    Row {
        name: &server.name,
        kind: "",
        file: server.origin.file(),
        line: server.place.line,
        state,
        target: String::new(),
        given: Vec::new(),
        findings,
    }
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

/// What needs no advice.
fn note(code: Code, message: impl Into<String>, place: &Span) -> Diagnostic {
    Diagnostic { hint: None, ..Diagnostic::new(code, message).at(place.clone()) }
}

/// What is wrong and where, on one line.
fn line(finding: &Diagnostic) -> String {
    let place = finding.span.as_ref().map(|span| format!("{}:{}: ", span.file, span.line));
    let hint = finding.hint.as_ref().map(|hint| format!(" ({hint})"));
    let (place, hint) = (place.unwrap_or_default(), hint.unwrap_or_default());
    format!("{place}{}{hint}", finding.message)
}
