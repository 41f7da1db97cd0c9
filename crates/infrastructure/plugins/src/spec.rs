//! What a plugin is started with.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use awf_core::Redactor;
use awf_plugin_sdk::wire::{
    CLIENT_CERT, COOKIE, MAX_PORT, MIN_PORT, PROTOCOL_VERSION, PROTOCOL_VERSIONS, UNIX_SOCKET_DIR,
};
use serde_json::{Map, Value};

/// The variables of the wire begin with this; none of them is handed down from whoever started us.
const RESERVED: &[u8] = b"PLUGIN_";

/// A program that speaks the wire of go-plugin.
#[derive(Clone, Debug)]
pub struct PluginSpec {
    /// What it is called in the project.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Where it runs; absolute.
    pub cwd: PathBuf,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// What it is configured with.
    pub config: Map<String, Value>,
    /// `sha256:<hex>` of the program, where it is vouched for.
    pub checksum: Option<String>,
    /// How long one call may take.
    pub timeout: Duration,
    /// Strikes out what may not stand in logs and messages.
    pub redactor: Redactor,
}

impl PluginSpec {
    /// The environment it is started with: its own, and what the wire adds.
    pub(crate) fn environment(
        &self,
        certificate: String,
        sockets: PathBuf,
    ) -> Vec<(OsString, OsString)> {
        let kept = self
            .env
            .iter()
            .filter(|(name, _)| name != COOKIE.0 && !name.as_encoded_bytes().starts_with(RESERVED));
        let added: [(&str, OsString); 6] = [
            (COOKIE.0, COOKIE.1.into()),
            (PROTOCOL_VERSIONS, PROTOCOL_VERSION.to_string().into()),
            (MIN_PORT.0, MIN_PORT.1.into()),
            (MAX_PORT.0, MAX_PORT.1.into()),
            (CLIENT_CERT, certificate.into()),
            (UNIX_SOCKET_DIR, sockets.into()),
        ];
        let added = added.into_iter().map(|(name, value)| (name.into(), value));
        kept.cloned().chain(added).collect()
    }
}

#[cfg(test)]
mod tests;
