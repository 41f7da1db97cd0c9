//! MCP servers as people write them: in awf's own files, and in those that other programs share with it.
//!
//! Nothing here starts one, and `${NAME}` stays as it was typed.

use std::path::{Path, PathBuf};

use awf_core::{Diagnostic, Severity, Span};

use crate::reader::Findings;

mod edit;
mod fingerprint;
mod foreign;
mod given;
mod meant;
mod name;
mod typed;

pub use edit::{Edit, NewServer, add_server, remove_server};
pub(crate) use foreign::ForeignTyped;
pub use given::{check_header, check_server_name, check_url, check_variable};
pub(crate) use name::check_names;
pub use name::is_same_name;
pub(crate) use typed::{ServersTyped, is_awf_program};

/// A server whose tools may be offered; `${NAME}` is not filled in yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSetting {
    /// What it is called.
    pub name: String,
    /// How it is reached.
    pub transport: ServerTransport,
    /// Whether it is to be used at all.
    pub switch: Switch,
    /// Whose file names it.
    pub origin: ServerOrigin,
    /// The directory of the project, where a project names it: what is approved in one is not approved in another.
    pub ground: Option<PathBuf>,
    /// Where it is named.
    pub place: Span,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerTransport {
    /// A program that speaks MCP over its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// What it finds in its environment besides the basics.
        env: Vec<(String, String)>,
        /// Where it runs; the project's directory when absent.
        cwd: Option<String>,
    },
    /// A server behind streamable HTTP.
    Http {
        /// Its endpoint.
        url: String,
        /// What is sent with every request.
        headers: Vec<(String, String)>,
    },
}

/// Whether a server is to be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// It is.
    #[default]
    On,
    /// It is kept in the file and not used.
    Off,
}

/// Whose file names a server, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerOrigin {
    /// The user's.
    User(PathBuf),
    /// The project's: whoever clones it did not ask for the server.
    Project(PathBuf),
    /// One that was given on the command line.
    Given(PathBuf),
}

impl ServerOrigin {
    /// The file.
    pub fn file(&self) -> &Path {
        match self {
            Self::User(file) | Self::Project(file) | Self::Given(file) => file,
        }
    }
}

/// A server of a file that other programs share, which awf cannot use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableServer {
    /// What it is called.
    pub name: String,
    /// Whose file names it.
    pub origin: ServerOrigin,
    /// Where it is named.
    pub place: Span,
    /// Why.
    pub why: Unusable,
}

/// Why a server cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is awf itself, as another program starts or reaches it.
    Itself,
    /// What is wrong with it.
    Faulty(Vec<Diagnostic>),
}

impl Unusable {
    /// What is wrong with it; nothing is wrong with awf itself.
    pub fn findings(&self) -> &[Diagnostic] {
        match self {
            Self::Itself => &[],
            Self::Faulty(findings) => findings,
        }
    }
}

/// Whom a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// awf alone: what it does not know is a mistake.
    Own,
    /// Other programs too: what it does not know is theirs.
    Foreign,
}

/// Where a list of servers stands.
pub(crate) struct Whereabouts<'a> {
    pub(crate) ownership: Ownership,
    pub(crate) origin: ServerOrigin,
    pub(crate) ground: Option<&'a Path>,
}

/// The servers of one file or of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerList {
    pub(crate) servers: Vec<ServerSetting>,
    pub(crate) unusable: Vec<UnusableServer>,
}

impl ServerList {
    /// What was typed, as far as it can be meant.
    pub(crate) fn of(
        typed: ServersTyped,
        place: &Whereabouts<'_>,
        findings: &mut Findings<'_>,
    ) -> Self {
        let mut list = Self::default();
        for entry in typed.0 {
            let (name, at) = (entry.name.clone(), findings.span(entry.place));
            if place.ownership == Ownership::Foreign && name::is_awf(&name) && entry.is_awf() {
                let (origin, why) = (place.origin.clone(), Unusable::Itself);
                list.unusable.push(UnusableServer { name, origin, place: at, why });
                continue;
            }
            let (setting, mut found) =
                findings.apart(|findings| meant::setting(entry, place, findings));
            if place.ownership == Ownership::Own {
                list.servers.extend(setting);
                findings.take(found);
                continue;
            }
            let faults = found.extract_if(.., |finding| finding.severity == Severity::Error);
            let faults: Vec<Diagnostic> = faults.collect();
            findings.take(found);
            match setting {
                Some(setting) if faults.is_empty() => list.servers.push(setting),
                Some(_) | None => list.unusable.push(UnusableServer {
                    name,
                    origin: place.origin.clone(),
                    place: at,
                    why: Unusable::Faulty(faults),
                }),
            }
        }
        list
    }

    /// Both.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.servers.extend(other.servers);
        self.unusable.extend(other.unusable);
        self
    }

    /// Every name and where it stands, of those that cannot be used too.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &Span)> {
        let servers = self.servers.iter().map(|server| (server.name.as_str(), &server.place));
        servers.chain(self.unusable.iter().map(|server| (server.name.as_str(), &server.place)))
    }
}
