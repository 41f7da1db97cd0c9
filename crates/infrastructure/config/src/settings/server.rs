//! Servers whose tools steps may be offered, as the user named them.

use crate::{
    reader::{Findings, Mapping},
    settings::{typed::ServerTyped, unsupported},
};

/// A server that speaks MCP over its standard input and output; `${NAME}` is not filled in yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSetting {
    /// What it is called.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it finds in its environment besides the basics.
    pub env: Vec<(String, String)>,
    /// Where it runs; the project's directory when absent.
    pub cwd: Option<String>,
}

/// What was typed, as far as it can be meant.
pub(super) fn meant(
    servers: Mapping<ServerTyped>,
    findings: &mut Findings<'_>,
) -> Vec<ServerSetting> {
    let mut meant = Vec::new();
    for (name, _, typed) in servers.0 {
        for (key, place) in [("url", typed.url.key()), ("headers", typed.headers.key())] {
            if let Some(place) = place {
                findings.add(unsupported(key), place);
            }
        }
        let Some(command) = typed.command.given() else { continue };
        let env = typed.env.given().map(|env| env.0).unwrap_or_default();
        meant.push(ServerSetting {
            name,
            command,
            args: typed.args.given().unwrap_or_default(),
            env: env.into_iter().map(|(name, _, value)| (name, value)).collect(),
            cwd: typed.cwd.given(),
        });
    }
    meant
}
