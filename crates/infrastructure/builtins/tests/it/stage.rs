//! What the tests share: a directory with a root in it, the six tools on that root, and calls of them.

use std::{
    env, fs,
    ops::Range,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::Duration,
};

use awf_builtins::{BuiltinSettings, Builtins, ShellSettings};
use awf_core::{
    CallContext, CallIntent, CallSurface, RawJson, ToolCall, ToolFailure, ToolProvider, ToolResult,
};
use awf_process::{Guard, GuardCommand};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Long enough for a busy machine; nobody waits that long when things work.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// `x/a` is the root, `x/ab` its prefix twin, `x/b` and `x/extra` its neighbours; `extra` is a root too.
pub(crate) struct Stage {
    pub(crate) world: TempDir,
    pub(crate) tools: Builtins,
}

/// What a call gave back, as a model reads it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let world = TempDir::new().unwrap();
        for name in ["a", "ab", "b", "extra", "logs"] {
            fs::create_dir(world.path().join(name)).unwrap();
        }
        let at = |name: &str| world.path().join(name);
        let tools = Builtins::new(BuiltinSettings {
            root: at("a"),
            extra_roots: vec![at("extra")],
            protected: vec![at("a/own")],
            shell: ShellSettings {
                program: "/bin/bash".into(),
                env: vec![("PATH".into(), "/usr/bin:/bin".into())],
                log_dir: at("logs"),
            },
            guard: Guard::new(GuardCommand { program: guard_program(), args: vec![] }),
        })
        .unwrap();
        Self { world, tools }
    }

    /// A path beside or beneath the root.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.world.path().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.outside("a")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// A file beneath the root, with its directories.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        put(&self.path(name), content)
    }

    pub(crate) fn link(&self, name: &str, target: impl AsRef<Path>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    pub(crate) fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) async fn call_with(
        &self,
        name: &str,
        arguments: RawJson,
        cancel: CancellationToken,
    ) -> Result<ToolResult, ToolFailure> {
        let call = ToolCall {
            name: name.to_owned(),
            arguments,
            intent: CallIntent::Direct,
            context: CallContext::new(CallSurface::Mcp),
            cancel,
        };
        tokio::time::timeout(PATIENCE, self.tools.call(call)).await.expect("an answer in time")
    }

    pub(crate) async fn call_raw(&self, name: &str, arguments: &str) -> Value {
        let raw = RawJson::parse(arguments).unwrap();
        let result = self.call_with(name, raw, CancellationToken::new()).await.unwrap();
        serde_json::from_str(result.raw().get()).unwrap()
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Answer {
        let result = self.call_raw(name, &arguments.to_string()).await;
        Answer {
            text: result["content"][0]["text"].as_str().unwrap().to_owned(),
            is_error: result["isError"].as_bool().unwrap_or(false),
        }
    }

    /// The text of a call that must succeed.
    pub(crate) async fn good(&self, name: &str, arguments: Value) -> String {
        let answer = self.call(name, arguments).await;
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    /// The text of a call that must fail.
    pub(crate) async fn bad(&self, name: &str, arguments: Value) -> String {
        let answer = self.call(name, arguments).await;
        assert!(answer.is_error, "{}", answer.text);
        answer.text
    }

    pub(crate) async fn read(&self, path: &str) -> String {
        self.good("Read", json!({"file_path": path})).await
    }
}

pub(crate) fn put(path: &Path, content: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    path.to_owned()
}

/// A text made of pieces that have a number.
pub(crate) fn pieces(numbers: Range<usize>, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in numbers {
        text += &piece(number);
    }
    text
}

/// The example of this crate that is the guard; cargo builds it with the tests.
fn guard_program() -> PathBuf {
    let test = env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap();
    let guard = built.join("examples/builtins_guard");
    assert!(guard.exists(), "{} is missing: build the examples", guard.display());
    guard
}
