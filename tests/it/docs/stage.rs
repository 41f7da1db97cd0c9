//! Where a page is played: a copy of the repository, a home for awf, and a shell that knows `awf`.

use std::{
    fs,
    io::{Read as _, Seek as _},
    os::unix::fs::symlink,
    path::Path,
    process::{Output, Stdio},
};

use crate::{
    docs::{likeness::alike, page, page::Block, place},
    plugin,
    world::{World, program},
};

/// Folders that a fresh clone does not have.
const NOT_CLONED: [&str; 4] = [".git", "target", "node_modules", ".venv"];

/// The stage of one page; its blocks are played in order, each in the state the one before left.
pub(super) struct Stage {
    world: World,
}

/// What came of a command: its exit code, and what it printed.
struct Outcome {
    exit: Option<i32>,
    printed: String,
}

/// What counts as printed.
#[derive(Clone, Copy)]
enum Heard {
    /// Both streams, as a terminal would show them.
    All,
    /// Stdout.
    Stdout,
}

impl Stage {
    pub(super) fn new() -> Self {
        let world = World::new();
        copy(page::root(), &world.root());
        let bin = world.beside("bin");
        fs::create_dir(&bin).unwrap();
        fs::create_dir(world.beside("tmp")).unwrap();
        symlink(env!("CARGO_BIN_EXE_awf"), bin.join("awf")).unwrap();
        for name in ["awf-plugin-example", "awf-plugin-kubernetes"] {
            symlink(plugin::binary(name), bin.join(name)).unwrap();
        }
        Self { world }
    }

    /// Plays a block and says what was not as the page says.
    pub(super) fn play(&self, block: &Block) -> Vec<String> {
        let words: Vec<&str> = block.info.split(' ').collect();
        match words.as_slice() {
            ["sh"] => {
                commands(&block.lines).iter().filter_map(|line| self.exits(block, line)).collect()
            }
            ["console"] => self.console(block, Heard::All),
            ["console", "stdout"] => self.console(block, Heard::Stdout),
            ["yaml", "workflow", file] => self.workflow(block, file, 0).into_iter().collect(),
            ["yaml", "workflow", file, "fails"] => {
                self.workflow(block, file, 2).into_iter().collect()
            }
            ["yaml", "file", file] => {
                self.world.file(file, block.lines.join("\n"));
                Vec::new()
            }
            ["yaml" | "json", file] => self.config(block, file, 0).into_iter().collect(),
            ["yaml" | "json", file, "fails"] => self.config(block, file, 1).into_iter().collect(),
            _ => vec![format!("{}: nobody knows what ```{} is", place(block), block.info)],
        }
    }

    fn exits(&self, block: &Block, command: &str) -> Option<String> {
        let Outcome { exit, printed } = self.run(command, Heard::All);
        let expected = promised_exit(command);
        (exit != Some(expected)).then(|| {
            format!("{}: exits {exit:?}, not {expected}:\n$ {command}\n{printed}", place(block))
        })
    }

    fn console(&self, block: &Block, heard: Heard) -> Vec<String> {
        let mut faults = Vec::new();
        let first = block.lines.first().map(String::as_str).unwrap_or_default();
        if !first.starts_with("$ ") {
            faults.push(format!("{}: a console begins with `$ `", place(block)));
        }
        for part in block.lines.chunk_by(|_, next| !next.starts_with("$ ")) {
            let (typed, shown) = part.split_first().unwrap();
            let command = typed.trim_start_matches("$ ");
            let Outcome { exit, printed } = self.run(command, heard);
            if exit != Some(promised_exit(command)) || !alike(shown, &printed) {
                faults.push(format!(
                    "{}: exits {exit:?} and prints something else:\n$ {command}\n{printed}",
                    place(block)
                ));
            }
        }
        faults
    }

    fn config(&self, block: &Block, file: &str, expected: i32) -> Option<String> {
        self.world.file(file, block.lines.join("\n"));
        let output = self.awf(&["tools", "list", "--config", file]);
        let said = String::from_utf8_lossy(&output.stderr);
        (output.status.code() != Some(expected))
            .then(|| format!("{}: {file} exits {:?}: {said}", place(block), output.status.code()))
    }

    fn workflow(&self, block: &Block, name: &str, expected: i32) -> Option<String> {
        let file = format!(".awf/workflows/{name}");
        self.world.file(&file, block.lines.join("\n"));
        let output = self.awf(&["validate", "--strict", &file]);
        let said = String::from_utf8_lossy(&output.stdout);
        (output.status.code() != Some(expected))
            .then(|| format!("{}: {name} exits {:?}: {said}", place(block), output.status.code()))
    }

    /// Where programs are found: awf and the plugins of the examples first.
    fn path(&self) -> String {
        format!("{}:{}", self.world.beside("bin").display(), path_without_agents())
    }

    fn awf(&self, args: &[&str]) -> Output {
        let mut command = self.world.command(args);
        // The same user as for the commands of the page.
        command.env("PATH", self.path()).env("AWF_CONFIG_HOME", self.world.beside("config"));
        command.output().unwrap()
    }

    fn run(&self, command: &str, heard: Heard) -> Outcome {
        let tmp = self.world.beside("tmp");
        let script = format!(
            "PATH='{}'\n{}",
            self.path(),
            command.replace("cargo run --release --quiet --", "awf")
        );
        let mut printed = tempfile::tempfile().unwrap();
        let status = program("sh")
            .args(["-c", &script])
            .current_dir(self.world.root())
            .env("AWF_HOME", self.world.home())
            .env("AWF_CONFIG_HOME", self.world.beside("config"))
            .env("TMPDIR", &tmp)
            .env("SHELL", "/bin/sh")
            .env_remove("TRACEPARENT")
            .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
            .stdin(Stdio::null())
            .stdout(printed.try_clone().unwrap())
            .stderr(match heard {
                Heard::All => Stdio::from(printed.try_clone().unwrap()),
                Heard::Stdout => Stdio::null(),
            })
            .status()
            .unwrap();
        let mut text = String::new();
        printed.rewind().unwrap();
        printed.read_to_string(&mut text).unwrap();
        // The repository of the reader and the one played here lie elsewhere.
        let text = text.replace(tmp.to_str().unwrap(), "/tmp");
        let text = text.replace(self.world.root().to_str().unwrap(), "/project");
        Outcome { exit: status.code(), printed: text }
    }
}

/// Where programs are found, but for places with agents: a page is played the same wherever it is played.
fn path_without_agents() -> String {
    #[expect(clippy::disallowed_methods, reason = "the commands of a page are the machine's own")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let agents = ["claude", "codex", "gemini", "opencode"];
    let bare = std::env::split_paths(&path)
        .filter(|dir| !agents.iter().any(|agent| dir.join(agent).is_file()));
    std::env::join_paths(bare).unwrap().into_string().unwrap()
}

/// The commands of a block; a backslash at the end of a line joins it to the next.
fn commands(lines: &[String]) -> Vec<String> {
    let joined = lines.join("\n").replace("\\\n", " ");
    joined.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// The `N` of a comment `# exits N`; 0 without one.
fn promised_exit(command: &str) -> i32 {
    let Some((_, comment)) = command.rsplit_once("# exits ") else { return 0 };
    let digits: String = comment.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("`# exits {comment}` names no exit code"))
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, target) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() && !NOT_CLONED.iter().any(|name| entry.file_name() == *name) {
            fs::create_dir(&target).unwrap();
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}
