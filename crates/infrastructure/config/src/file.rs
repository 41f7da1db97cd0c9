//! The text of a file a person wrote: a regular file, of bounded size, in UTF-8.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use awf_core::{Code, Diagnostic, shown};

use crate::{
    reader::{Findings, Shape},
    yaml::{Node, NodeValue, Place, parse_tree},
};

/// No file a person writes is larger.
pub(crate) const LARGEST: usize = 1024 * 1024;

/// The whole text. Nothing but a regular file is opened: a pipe would be waited for.
pub fn read_text(path: &Path) -> Result<String, Diagnostic> {
    read_bounded(path, LARGEST)
}

/// The whole text, of a file of at most that many bytes.
pub(crate) fn read_bounded(path: &Path, largest: usize) -> Result<String, Diagnostic> {
    let name = shown(&path.display().to_string());
    let failed = |error: std::io::Error| {
        let code = match error.kind() {
            ErrorKind::NotFound => Code::InputMissingFile,
            ErrorKind::PermissionDenied => Code::IoPermissionDenied,
            _ => Code::IoReadFailed,
        };
        Diagnostic::new(code, format!("cannot read `{name}`: {error}"))
    };
    if !path.metadata().map_err(failed)?.is_file() {
        let message = format!("cannot read `{name}`: it is not a regular file");
        return Err(Diagnostic::new(Code::IoReadFailed, message));
    }
    let mut bytes = Vec::new();
    let bound = u64::try_from(largest).unwrap_or(u64::MAX).saturating_add(1);
    File::open(path).and_then(|file| file.take(bound).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() > largest {
        return Err(Diagnostic::new(
            Code::ParseTooLarge,
            format!("`{name}` is larger than {} MiB", largest >> 20),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = 1 + good.filter(|byte| **byte == b'\n').count();
        Diagnostic::new(Code::ParseYamlSyntax, format!("`{name}` is not UTF-8 on line {line}"))
            .hinting("save the file as UTF-8")
    })
}

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Whom the user lets read new files.
    Usual,
    /// The user alone: it may hold a secret.
    Owner,
}

/// Puts a text in the place of a file, whole or not at all. Its directory is made where it is not there; a file that is
/// there keeps its readers.
pub(crate) fn write_text(path: &Path, text: &str, readers: Readers) -> Result<(), Diagnostic> {
    let failed = |error: std::io::Error| {
        let code = match error.kind() {
            ErrorKind::PermissionDenied => Code::IoPermissionDenied,
            _ => Code::IoWriteFailed,
        };
        let name = shown(&path.display().to_string());
        Diagnostic::new(code, format!("cannot write `{name}`: {error}"))
    };
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(failed)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    // What an earlier attempt left, or a link that leads elsewhere.
    drop(fs::remove_file(beside));
    let mode = match readers {
        Readers::Usual => 0o666,
        Readers::Owner => 0o600,
    };
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(mode).open(beside);
    let mut file = opened.map_err(failed)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| {
        if let Ok(old) = path.metadata() {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(beside, path)
    });
    if written.is_err() {
        drop(fs::remove_file(beside));
    }
    written.map_err(failed)
}

/// A configuration file, JSON or YAML; an empty one says nothing.
pub(crate) fn read_config<T: Shape>(path: &Path, findings: &mut Findings<'_>) -> Option<T> {
    match read_text(path) {
        Ok(text) => parse_config(&text, findings),
        Err(finding) => {
            findings.say(Code::ConfigUnreadable, Place::START, finding.message);
            None
        }
    }
}

/// The text of a configuration file.
pub(crate) fn parse_config<T: Shape>(text: &str, findings: &mut Findings<'_>) -> Option<T> {
    let tree = parse_tree(text, findings)?;
    let tree =
        if tree.is_null() { Node { value: NodeValue::Map(Vec::new()), ..tree } } else { tree };
    T::read(&tree, findings)
}

#[cfg(test)]
mod tests;
