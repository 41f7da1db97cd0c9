//! What is approved when a server is approved: all of it, as typed. And what makes it the same server.

use sha2::{Digest as _, Sha256};

use crate::servers::{ServerSetting, ServerTransport};

impl ServerSetting {
    /// The same for as long as nothing about the server changes: its name, how it is reached, what it is given, and for a
    /// server of a project that project's directory. In hex.
    pub fn fingerprint(&self) -> String {
        let mut parts = self.way("awf server 1");
        parts.pairs(match &self.transport {
            ServerTransport::Stdio { env, .. } => env,
            ServerTransport::Http { headers, .. } => headers,
        });
        parts.hex()
    }

    /// The same for as long as it is this server, whatever it is given: a token that is renewed or a variable for debugging
    /// makes no other server of it. In hex.
    pub fn identity(&self) -> String {
        self.way("awf server identity 1").hex()
    }

    /// Its name, how it is reached and for whom.
    fn way(&self, purpose: &str) -> Parts {
        let mut parts = Parts(Sha256::new());
        parts.text(purpose);
        parts.text(&self.name);
        match &self.transport {
            ServerTransport::Stdio { command, args, env: _, cwd } => {
                parts.text("stdio");
                parts.text(command);
                parts.texts(args);
                parts.texts(cwd);
            }
            ServerTransport::Http { url, headers: _ } => {
                parts.text("http");
                parts.text(url);
            }
        }
        parts.bytes(self.ground.as_ref().map_or(b"", |dir| dir.as_os_str().as_encoded_bytes()));
        parts
    }
}

/// Parts with their lengths before them: no two lists of parts are the same bytes.
struct Parts(Sha256);

impl Parts {
    fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn texts<'t>(&mut self, texts: impl IntoIterator<Item = &'t String>) {
        let texts: Vec<&String> = texts.into_iter().collect();
        self.length(texts.len());
        for text in texts {
            self.text(text);
        }
    }

    /// Their order means nothing.
    fn pairs(&mut self, pairs: &[(String, String)]) {
        let mut pairs: Vec<&(String, String)> = pairs.iter().collect();
        pairs.sort();
        self.length(pairs.len());
        for (name, value) in pairs {
            self.text(name);
            self.text(value);
        }
    }

    fn length(&mut self, length: usize) {
        self.0.update(u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes());
    }

    fn hex(self) -> String {
        self.0.finalize().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
    }
}
