//! A world of its own for each test: a root for the tools, a home for awf, and the built binary to start in it.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::Server;

/// A temporary directory with a `root` for tools and a `home` for awf.
pub(crate) struct World {
    dir: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("awf-it-").tempdir().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        Self { dir }
    }

    /// Where the tools work.
    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    /// Where awf keeps its data.
    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// A place beside the root: nothing the tools do may reach it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Puts a file beneath the root.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes a configuration for `mcp-serve`, with this world's root filled in.
    pub(crate) fn config(&self, mut config: Value) -> PathBuf {
        let object = config.as_object_mut().unwrap();
        object.entry("root").or_insert_with(|| json!(self.root()));
        let path = self.beside("serve.json");
        fs::write(&path, config.to_string()).unwrap();
        path
    }

    /// The built binary, to be started in this world.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = program(env!("CARGO_BIN_EXE_awf"));
        command
            .args(args)
            .current_dir(self.root())
            .env("AWF_HOME", self.home())
            .env_remove("TRACEPARENT");
        command.env_remove("OTEL_EXPORTER_OTLP_ENDPOINT").stdin(Stdio::null());
        command
    }

    /// Runs the built binary to its end.
    pub(crate) fn awf<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs the built binary and reads its stdout as JSON.
    pub(crate) fn awf_json<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Value {
        let output = self.awf(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Starts `awf mcp-serve` with the built-ins on this world's root, the handshake done.
    pub(crate) fn serve(&self) -> Server {
        self.serve_with(json!({}))
    }

    /// Starts `awf mcp-serve` with a configuration of its own, the handshake done.
    pub(crate) fn serve_with(&self, config: Value) -> Server {
        let mut server = Server::start(self.serve_command(&self.config(config)));
        server.handshake();
        server
    }

    /// The command that serves `config`.
    pub(crate) fn serve_command(&self, config: &Path) -> Command {
        self.command([OsStr::new("mcp-serve"), OsStr::new("--config"), config.as_os_str()])
    }

    /// Every record, newest first, as `awf activity list` gives them.
    pub(crate) fn activity(&self) -> Vec<Value> {
        let mut records = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut args = vec![
                "activity".to_owned(),
                "list".into(),
                "-o".into(),
                "json".into(),
                "-n".into(),
                "100".into(),
            ];
            if let Some(cursor) = &cursor {
                args.extend(["--cursor".to_owned(), cursor.clone()]);
            }
            let mut page = self.awf_json(args);
            records.append(page["activities"].as_array_mut().unwrap());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => return records,
            }
        }
    }
}

/// The one place where tests start programs.
#[expect(
    clippy::disallowed_methods,
    reason = "a black-box test starts the product as a user would"
)]
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    Command::new(path)
}

/// The same command, with its stderr in a file.
pub(crate) fn logging_to(log: &Path, command: &Command) -> Command {
    behind(r#"exec "$@" 2>"$0""#, log, command)
}

/// The same command behind a shell, whose `script` finds `file` in `$0` and the command in `$@`.
pub(crate) fn behind(script: &str, file: &Path, command: &Command) -> Command {
    let mut shell = program("sh");
    shell.args(["-c", script]).arg(file);
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        shell.current_dir(dir);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}
