//! Where secrets were sent, and who saw what.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::PathBuf,
    process::{self, Command},
};

use crate::world::World;

/// All that can be logged, also by libraries that are quiet unless they are named.
const LOUDEST: &str = "trace,h2=trace,hyper=trace,hyper_util=trace,reqwest=trace,rustls=trace,tonic=trace,tower=trace";

/// Writes down the command lines of whoever calls it and of all above, up to what the test itself started.
const CENSUS: &str = r#"#!/bin/sh
p=$PPID
{
    while read -r stat < /proc/$p/stat; above=${stat#*) ? }; above=${above%% *}; [ "$above" != TEST ] && [ "$above" -gt 1 ]; do
        echo "$1: $(tr '\0' ' ' < /proc/$p/cmdline)"
        p=$above
    done
} >> ARGV
"#;

/// Where secrets were sent, where they may be seen, and where they may not.
pub(super) struct Stage {
    pub(super) world: World,
    otlp: String,
    log_format: &'static str,
    /// What those saw who may: tools, servers, models, steps.
    pub(super) arrived: Vec<String>,
    /// What everybody else sees, by its name.
    pub(super) sinks: Vec<(String, String)>,
}

impl Stage {
    pub(super) fn new(world: World, otlp: String, log_format: &'static str) -> Self {
        let stage = Self { world, otlp, log_format, arrived: Vec::new(), sinks: Vec::new() };
        let census = CENSUS.replace("TEST", &process::id().to_string());
        let argv = stage.world.beside("argv");
        stage.script("census", &census.replace("ARGV", argv.to_str().unwrap()));
        stage
    }

    /// Puts a program beside the root.
    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.world.beside(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Words of a shell that have its command line, and all above, noted for a kind of child.
    pub(super) fn census(&self, kind: &str) -> String {
        format!("{} {kind}", self.world.beside("census").display())
    }

    /// awf with spans on, and all it has to say in the log.
    pub(super) fn awf(&self, words: &[&str]) -> Command {
        let mut command = self.world.by_user(words);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &self.otlp);
        command.args(["--log-level", LOUDEST, "--log-format", self.log_format]);
        command
    }

    /// Something for everybody to see. What is empty shows nothing.
    pub(super) fn sink(&mut self, name: &str, text: String) {
        assert!(!text.trim().is_empty(), "nothing is in {name}");
        self.sinks.push((name.to_owned(), text));
    }

    /// Runs it to its end; what it says on stderr is for everybody, what it says on stdout as `stdout` says.
    pub(super) fn run(&mut self, mut command: Command, stdout: Stdout) -> Option<i32> {
        let shown: Vec<_> = command.get_args().take_while(|word| *word != "--log-level").collect();
        let name = format!("{:?}", &shown[..shown.len().min(5)]);
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (told, said) = (text(&output.stdout), text(&output.stderr));
        match stdout {
            Stdout::Answer => self.arrived.push(told),
            Stdout::Sink if told.is_empty() => assert!(!said.is_empty(), "{name} says nothing"),
            Stdout::Sink => self.sink(&format!("stdout of {name}"), told),
            Stdout::Full => self.sink(&format!("stdout of {name}: {said}"), told),
        }
        if !said.is_empty() {
            self.sink(&format!("stderr of {name}"), said);
        }
        output.status.code()
    }

    /// What was written to a file of a server or a step arrived.
    pub(super) fn arrived_in(&mut self, file: &str) {
        let path = self.world.beside(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.arrived.push(text);
    }
}

/// Who reads the stdout of a command.
#[derive(Clone, Copy)]
pub(super) enum Stdout {
    /// It is the answer of a tool.
    Answer,
    /// Everybody; a failure may leave it empty.
    Sink,
    /// Everybody, and there must be something to see.
    Full,
}
