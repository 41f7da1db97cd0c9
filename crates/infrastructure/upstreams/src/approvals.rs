//! Which servers a person allowed to be started. A project may name a server; only a person makes it run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::vault::{self, Turn, VaultError, damaged};

const VERSION: u32 = 1;

/// The servers that were approved, on disk.
#[derive(Clone, Debug)]
pub struct Approvals {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    servers: Vec<Entry>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    fingerprint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<PathBuf>,
}

impl Approvals {
    /// Those beneath `home`. Reads and makes nothing yet.
    pub fn open(home: &Path) -> Self {
        Self { path: home.join("approvals.json") }
    }

    /// Whether the server of this fingerprint was approved. A file that cannot be read approves nothing.
    pub fn is_approved(&self, fingerprint: &str) -> bool {
        match self.read() {
            Ok(servers) => servers.iter().any(|entry| entry.fingerprint == fingerprint),
            Err(error) => {
                tracing::warn!(%error, "approvals cannot be read: no server counts as approved");
                false
            }
        }
    }

    /// Whether another server went by that name when it was approved, in the same project: this one is not what it was.
    pub fn knew(&self, name: &str, project: Option<&Path>) -> bool {
        let servers = self.read().unwrap_or_default();
        servers.iter().any(|entry| entry.name == name && entry.project.as_deref() == project)
    }

    /// Approves a server, of a project where only that names it.
    pub fn approve(
        &self,
        name: &str,
        fingerprint: &str,
        project: Option<&Path>,
    ) -> Result<(), VaultError> {
        self.change(|servers| {
            servers.retain(|entry| entry.fingerprint != fingerprint);
            servers.push(Entry {
                name: name.to_owned(),
                fingerprint: fingerprint.to_owned(),
                project: project.map(Path::to_owned),
            });
        })
    }

    /// Takes an approval back.
    pub fn revoke(&self, fingerprint: &str) -> Result<(), VaultError> {
        self.change(|servers| servers.retain(|entry| entry.fingerprint != fingerprint))
    }

    /// Read again under the lock: another process may have approved meanwhile.
    fn change(&self, edit: impl FnOnce(&mut Vec<Entry>)) -> Result<(), VaultError> {
        let turn = Turn::take(&self.path)?;
        let mut servers = self.read()?;
        edit(&mut servers);
        let text = serde_json::to_string_pretty(&File { version: VERSION, servers });
        let unwritable = |error| VaultError::Write {
            path: self.path.clone(),
            source: std::io::Error::from(error),
        };
        turn.write(&(text.map_err(unwritable)? + "\n"))
    }

    fn read(&self) -> Result<Vec<Entry>, VaultError> {
        let Some(text) = vault::read(&self.path)? else { return Ok(Vec::new()) };
        let file: File =
            serde_json::from_str(&text).map_err(|error| damaged(&self.path, error.to_string()))?;
        if file.version != VERSION {
            let reason = format!("version {} is not known", file.version);
            return Err(damaged(&self.path, reason));
        }
        Ok(file.servers)
    }
}

#[cfg(test)]
mod tests;
