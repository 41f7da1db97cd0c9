//! What a program is started with, as plain data: nothing here touches the disk.

use std::{ffi::OsString, path::PathBuf};

/// The command line, the environment and the files of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Injection {
    /// The arguments after the program's name.
    pub(crate) args: Vec<OsString>,
    /// Variables on top of the step's own.
    pub(crate) env: Vec<(OsString, OsString)>,
    /// Files of the private directory.
    pub(crate) files: Vec<PrivateFile>,
    /// Links in the private directory.
    pub(crate) links: Vec<Link>,
    /// What it reads on standard input: the prompt, which thus shows in no list of processes.
    pub(crate) stdin: String,
}

/// A file only the user can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrivateFile {
    /// Beneath the private directory.
    pub(crate) path: PathBuf,
    pub(crate) content: String,
}

/// A name in the private directory for something elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// Beneath the private directory.
    pub(crate) path: PathBuf,
    pub(crate) target: PathBuf,
}

impl Injection {
    pub(crate) fn arg(&mut self, arg: impl Into<OsString>) {
        self.args.push(arg.into());
    }

    pub(crate) fn args<const N: usize>(&mut self, args: [&str; N]) {
        self.args.extend(args.map(OsString::from));
    }

    pub(crate) fn env(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.push((name.into(), value.into()));
    }

    pub(crate) fn file(&mut self, path: &str, content: String) {
        self.files.push(PrivateFile { path: path.into(), content });
    }
}
