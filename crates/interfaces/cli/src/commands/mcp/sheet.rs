//! A server on one line: how it is reached, with what its name says is a secret left out.

use awf_config::ServerTransport;

use crate::{approval, secrets};

/// The kind of a server, in a word.
pub(super) fn kind(transport: &ServerTransport) -> &'static str {
    match transport {
        ServerTransport::Stdio { .. } => "stdio",
        ServerTransport::Http { .. } => "http",
    }
}

/// What is started or asked.
pub(crate) fn target(transport: &ServerTransport) -> String {
    let line = match transport {
        ServerTransport::Stdio { command, args, .. } => {
            let words: Vec<&str> = [command].into_iter().chain(args).map(String::as_str).collect();
            words.join(" ")
        }
        ServerTransport::Http { url, .. } => url.clone(),
    };
    approval::whole(&secrets::quoted(&line))
}

/// What it is given.
pub(super) fn given(transport: &ServerTransport) -> Vec<String> {
    pairs(transport).iter().map(|(name, value)| approval::pair(name, value)).collect()
}

/// The same, as it is written.
pub(super) fn pairs(transport: &ServerTransport) -> &[(String, String)] {
    match transport {
        ServerTransport::Stdio { env, .. } => env,
        ServerTransport::Http { headers, .. } => headers,
    }
}
