//! One trial: a home, a project, a script for the model, and a command that is run among them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    super::{
        ground::Ground,
        install::{Node, npm_program},
    },
    agent::Agent,
    seen::Seen,
    setup,
};
use crate::command::{command, output_within};

/// Agents start slowly where they cannot reach the services they expect.
const PATIENCE: Duration = Duration::from_mins(3);

/// What all trials need.
pub(super) struct Tools<'a> {
    ground: &'a Ground,
    /// Folders of programs, as in `PATH`.
    programs: String,
    model_server: PathBuf,
    plugin: PathBuf,
}

impl<'a> Tools<'a> {
    pub(super) fn installed(ground: &'a Ground) -> Result<Self> {
        let node = Node::installed(ground)?;
        let mut programs = vec![node.programs().to_string_lossy().into_owned()];
        for agent in Agent::CLIS {
            let folder = npm_program(ground, agent.provider(), agent.package())?;
            programs.push(folder.to_string_lossy().into_owned());
        }
        let model_server = ground.example("awf-agents", "model_server")?;
        let plugin = ground.plugin()?;
        Ok(Self { ground, programs: programs.join(":"), model_server, plugin })
    }

    /// A stage with a home and an empty project.
    pub(super) fn stage(&self, name: &str) -> Result<Stage<'_>> {
        let folder = self.ground.folder(name)?;
        for inner in ["home", "project", "tmp"] {
            fs::create_dir(folder.join(inner))?;
        }
        let mut stage = Stage { tools: self, folder, files: Vec::new(), interrupt: None };
        let (project, own) = (stage.text("project"), stage.text("own-server-started"));
        let fixture = self.ground.fixture();
        for (path, text) in setup::home(&project, &["touch", &own], &fixture.to_string_lossy()) {
            stage.file(&format!("home/{path}"), text);
        }
        stage.file("project/marker.txt", "the marker is 7731\n");
        let plugin = json!({"name": "example", "path": self.plugin});
        stage.file("project/.awf/plugins.yaml", json!({"plugins": [plugin]}).to_string());
        Ok(stage)
    }
}

pub(super) struct Stage<'a> {
    tools: &'a Tools<'a>,
    folder: PathBuf,
    files: Vec<(PathBuf, String)>,
    interrupt: Option<Interrupt>,
}

/// A signal for the program while a tool runs: when the file `started` is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Interrupt {
    Int,
    Term,
    Kill,
}

/// What is played inside, written down for the program that plays it.
#[derive(Serialize, Deserialize)]
pub(super) struct Play {
    pub(super) folder: PathBuf,
    pub(super) command: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) input: String,
    pub(super) files: Vec<(PathBuf, String)>,
    pub(super) scenario: Value,
    pub(super) model_server: PathBuf,
    pub(super) interrupt: Option<Interrupt>,
}

impl Stage<'_> {
    /// A path in the trial's folder, as text.
    pub(super) fn text(&self, path: &str) -> String {
        self.folder.join(path).to_string_lossy().into_owned()
    }

    /// The program under test.
    pub(super) fn awf(&self) -> String {
        self.tools.ground.awf().to_string_lossy().into_owned()
    }

    /// A file that is there when the command starts.
    pub(super) fn file(&mut self, path: &str, text: impl Into<String>) {
        self.files.push((self.folder.join(path), text.into()));
    }

    /// Adds a setting to a JSON file that is there when the command starts.
    pub(super) fn setting(&mut self, path: &str, key: &str, value: Value) -> Result<()> {
        let path = self.folder.join(path);
        let file = self.files.iter_mut().find(|(known, _)| *known == path);
        let (_, text) = file.with_context(|| format!("there is no {}", path.display()))?;
        let mut settings: Value = serde_json::from_str(text)?;
        settings[key] = value;
        *text = settings.to_string();
        Ok(())
    }

    pub(super) fn interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = Some(interrupt);
    }

    /// Runs `workflow` by awf.
    pub(super) fn run_workflow(mut self, workflow: &str, scenario: Value) -> Result<Seen> {
        self.file("project/.awf/workflows/w.yaml", workflow);
        let awf = self.awf();
        let words = "run w --format json --log-level info --otel-exporter otlp-http";
        let command = std::iter::once(awf).chain(words.split(' ').map(str::to_owned));
        self.play(command.collect(), scenario)
    }

    /// Runs an agent as it is.
    pub(super) fn run_unguarded(self, agent: Agent, scenario: Value) -> Result<Seen> {
        let command = agent.unguarded().iter().map(|word| (*word).to_owned());
        self.play(command.collect(), scenario)
    }

    /// Runs a program as a person would.
    pub(super) fn run_program(self, words: &[String], scenario: Value) -> Result<Seen> {
        self.play(words.to_vec(), scenario)
    }

    fn play(self, command_line: Vec<String>, scenario: Value) -> Result<Seen> {
        let mut environment = setup::environment(&self.tools.programs);
        for (name, path) in [("HOME", "home"), ("AWF_HOME", "awf"), ("TMPDIR", "tmp")] {
            environment.push((name.to_owned(), self.text(path)));
        }
        let play = Play {
            folder: self.folder.clone(),
            command: command_line,
            environment,
            input: "Go\n".to_owned(),
            files: self.files.clone(),
            scenario,
            model_server: self.tools.model_server.clone(),
            interrupt: self.interrupt,
        };
        enter(&play)?;
        let seen = Seen::read(&self.folder, self.files, self.tools.ground.awf());
        seen.with_context(|| format!("in {}", self.folder.display()))
    }
}

/// Plays it where the network is loopback and no other process is seen.
fn enter(play: &Play) -> Result<()> {
    let file = play.folder.join("play.json");
    fs::write(&file, serde_json::to_string(play)?)?;
    let mut unshare = command("unshare");
    if !rustix::process::geteuid().is_root() {
        unshare.arg("--map-root-user");
    }
    unshare.args(["--net", "--pid", "--fork", "--mount-proc", "--kill-child"]);
    unshare.arg(std::env::current_exe()?).arg("agent-trial").arg(&file).stdin(Stdio::null());
    let output = output_within(PATIENCE, unshare)?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {said}{}", output.status, tail_of(&play.folder));
    Ok(())
}

/// The last words of the program, for the report of what it failed at.
fn tail_of(folder: &Path) -> String {
    let said = fs::read(folder.join("stderr")).unwrap_or_default();
    let tail = said.len().saturating_sub(800);
    String::from_utf8_lossy(said.get(tail..).unwrap_or_default()).into_owned()
}
