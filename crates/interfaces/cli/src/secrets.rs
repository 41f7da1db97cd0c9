//! What this process was told and may never repeat: one register for every sink of it.
//!
//! Each part that reads secrets (the environment, settings of servers and plugins, inputs, keys) enters them before it uses
//! them. Records, log lines, spans and what is said at the terminal are held against all of them, whoever wrote them.

use std::sync::{PoisonError, RwLock};

use awf_core::{RawJson, Redactor};

static KNOWN: RwLock<Option<Redactor>> = RwLock::new(None);

/// Enters further secrets.
pub(crate) fn learn<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    *known = Some(known.take().unwrap_or_default().knowing(secrets));
}

/// Knows all that were entered so far.
pub(crate) fn redactor() -> Redactor {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
}

/// Knows also what a file holds secret, for what is said of that file.
pub(crate) fn of_file(text: &str) -> Redactor {
    redactor().knowing(awf_config::secrets_of_file(text))
}

/// Words of our own, without secrets that found their way into them.
pub(crate) fn told(text: &str) -> String {
    with(|redactor| redactor.own_text(text).into_owned())
}

/// Text that somebody else wrote, as it may be shown.
pub(crate) fn quoted(text: &str) -> String {
    with(|redactor| redactor.text(text).into_owned())
}

/// A line of the log, which may be JSON.
pub(crate) fn logged(line: &str) -> String {
    let json = line.trim_end().starts_with('{').then(|| RawJson::parse(line.trim_end()));
    match json {
        Some(Ok(json)) => with(|redactor| format!("{}\n", redactor.json(&json).get())),
        Some(Err(_)) | None => quoted(line),
    }
}

fn with<T>(work: impl FnOnce(&Redactor) -> T) -> T {
    match &*KNOWN.read().unwrap_or_else(PoisonError::into_inner) {
        Some(redactor) => work(redactor),
        None => work(&Redactor::default()),
    }
}
