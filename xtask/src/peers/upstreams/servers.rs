//! The servers, and a call of every tool they have.

mod cases;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use serde_json::{Value, json};

use super::remote::Remote;
use crate::{
    command::command,
    peers::{ground::scripts, install::Node},
};

/// One call, and what awf's answer must have in common with the server's.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) likeness: Likeness,
}

#[derive(Clone, Debug)]
pub(super) enum Likeness {
    /// Every byte.
    Same,
    /// Every byte, of a result that tells a failure.
    Failing,
    /// The kinds of content, for this reason.
    Kind(&'static str),
    /// The server answers with an error of the protocol; the model is told its message.
    Refused,
}

#[derive(Clone, Copy)]
enum Trade {
    Everything,
    Files,
    Workshop,
    Odd,
}

pub(super) struct Server {
    pub(super) name: &'static str,
    trade: Trade,
    /// Its program and arguments: over stdio, also where awf reaches it by an address.
    line: Vec<PathBuf>,
    address: Option<String>,
    /// Where its files are, if it has any.
    folder: PathBuf,
}

/// All of them. `folder` belongs to the one with files; `remotes` are two that run already.
pub(super) fn all(node: &Node, python: &Path, folder: &Path, remotes: &[Remote; 2]) -> Vec<Server> {
    let program = node.programs().join("node");
    let entry = |name: &str| node.module(&format!("@modelcontextprotocol/{name}/dist/index.js"));
    let everything = vec![program.clone(), entry("server-everything")];
    let files = vec![program, entry("server-filesystem"), folder.to_owned()];
    let workshop = vec![python.to_owned(), scripts().join("python_server.py")];
    let odd = vec![python.to_owned(), scripts().join("odd_server.py")];
    let [far_everything, far_workshop] = remotes;
    let server = |name, trade, line: &Vec<PathBuf>, remote: Option<&Remote>| Server {
        name,
        trade,
        line: line.clone(),
        address: remote.map(Remote::address),
        folder: folder.to_owned(),
    };
    vec![
        server("everything", Trade::Everything, &everything, None),
        server("filesystem", Trade::Files, &files, None),
        server("workshop", Trade::Workshop, &workshop, None),
        server("odd", Trade::Odd, &odd, None),
        server("far-everything", Trade::Everything, &everything, Some(far_everything)),
        server("far-workshop", Trade::Workshop, &workshop, Some(far_workshop)),
    ]
}

impl Server {
    /// As it is started by itself.
    pub(super) fn command(&self) -> Command {
        let mut line = self.line.iter();
        let mut command = command(line.next().map_or("", |word| word.to_str().unwrap_or_default()));
        command.args(line);
        command
    }

    /// As awf's configuration names it.
    pub(super) fn entry(&self) -> Value {
        match (&self.address, self.line.split_first()) {
            (Some(address), _) => json!({"url": address}),
            (None, Some((program, arguments))) => json!({"command": program, "args": arguments}),
            (None, None) => Value::Null,
        }
    }

    pub(super) fn cases(&self) -> Vec<Case> {
        match self.trade {
            Trade::Everything => cases::everything(),
            Trade::Files => cases::files(&self.folder),
            Trade::Workshop => cases::workshop(),
            Trade::Odd => cases::odd(),
        }
    }

    /// Everything is as it was before the first call.
    pub(super) fn reset(&self) -> Result<()> {
        if let Trade::Files = self.trade {
            for entry in fs::read_dir(&self.folder)? {
                let path = entry?.path();
                if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
            }
            fs::write(self.folder.join("poem.txt"), "one – 1\r\ntwo\nthree")?;
            fs::write(self.folder.join("dot.png"), b"\x89PNG\r\n\x1a\n\x00\xff")?;
            fs::create_dir(self.folder.join("shelf"))?;
            fs::write(self.folder.join("shelf/book.md"), "# A book\n")?;
        }
        Ok(())
    }
}
