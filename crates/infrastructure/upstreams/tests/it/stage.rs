//! What the tests share: a server in a folder of its own, and calls of it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use awf_core::{
    CallContext, CallIntent, CallSurface, Class, RawJson, Redactor, Standing, ToolCall,
    ToolFailure, ToolProvider as _, ToolResult,
};
use awf_process::{Grace, Guard, GuardCommand};
use awf_upstreams::{Ground, Limits, Pins, Transport, Upstream, UpstreamSpec};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Long enough for a busy machine; nobody waits that long when things work.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Stage {
    pub(crate) world: TempDir,
    pub(crate) ground: Ground,
    pub(crate) upstream: Upstream,
}

impl Stage {
    /// A server that lists these tools, whose list is always fresh enough unless it says otherwise.
    pub(crate) fn new(tools: &[Value]) -> Self {
        Self::with(tools, |_| {})
    }

    pub(crate) fn with(tools: &[Value], adjust: impl FnOnce(&mut Ground)) -> Self {
        let world = TempDir::new().unwrap();
        let guard = Guard::new(GuardCommand { program: peer(), args: vec!["guard".into()] });
        let mut ground = Ground {
            guard,
            pins: Arc::new(Pins::open(&world.path().join("home"))),
            max_age: PATIENCE,
            limits: Limits::default(),
            redactor: Redactor::default(),
        };
        adjust(&mut ground);
        let upstream = Upstream::new(spec("peer", world.path()), ground.clone());
        let stage = Self { world, ground, upstream };
        stage.write("tools.json", &json!(tools).to_string());
        stage
    }

    /// The same server, as another process of ours would see it: same home, nothing remembered.
    pub(crate) fn again(&mut self) {
        self.ground.pins = Arc::new(Pins::open(&self.world.path().join("home")));
        self.upstream = Upstream::new(spec("peer", self.world.path()), self.ground.clone());
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        // Whole or not at all: the server may look at any moment.
        let new = self.world.path().join("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, self.world.path().join(file)).unwrap();
    }

    /// How many lines a file of the server has.
    pub(crate) fn count(&self, file: &str) -> usize {
        fs::read_to_string(self.world.path().join(file)).unwrap_or_default().lines().count()
    }

    pub(crate) async fn refresh(&self) -> Result<(), ToolFailure> {
        timeout(PATIENCE, self.upstream.refresh()).await.unwrap()
    }

    /// Why it cannot be had.
    pub(crate) async fn refusal(&self) -> String {
        match self.refresh().await.unwrap_err() {
            ToolFailure::Unavailable(why) => why,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn call(&self, tool: &str) -> Result<ToolResult, ToolFailure> {
        timeout(PATIENCE, self.upstream.call(call(tool, "{}"))).await.unwrap()
    }

    pub(crate) async fn text(&self, tool: &str) -> String {
        self.call(tool).await.unwrap().first_text().unwrap()
    }

    /// Every tool, what it counts as and how it stands.
    pub(crate) async fn seen(&self) -> Vec<(String, Class, Standing)> {
        let tools = self.upstream.tools().await.unwrap();
        tools.iter().map(|tool| (tool.name().to_string(), tool.class(), tool.standing())).collect()
    }

    /// Waits until the list is another one, without asking for it.
    pub(crate) async fn news_after(&self, revision: u64) {
        let waiting = async {
            while self.upstream.revision() == revision {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, waiting).await.unwrap();
    }

    pub(crate) async fn end(self) {
        timeout(PATIENCE, self.upstream.close()).await.unwrap();
        self.ground.guard.stop(Grace::NONE).await.unwrap();
    }
}

pub(crate) fn spec(name: &str, folder: &Path) -> UpstreamSpec {
    let transport = Transport::Stdio {
        command: peer().into(),
        args: vec!["serve".into(), folder.into()],
        env: Vec::new(),
        cwd: folder.to_owned(),
    };
    UpstreamSpec { name: name.into(), transport, identity: "peer".into() }
}

pub(crate) fn call(tool: &str, arguments: &str) -> ToolCall {
    ToolCall {
        name: tool.into(),
        arguments: RawJson::parse(arguments).unwrap(),
        intent: CallIntent::Direct,
        context: CallContext::new(CallSurface::Cli),
        cancel: CancellationToken::new(),
    }
}

/// A tool that says what it does to the world.
pub(crate) fn tool(name: &str, class: Class) -> Value {
    let annotations = match class {
        Class::Read => json!({"readOnlyHint": true}),
        Class::Write => json!({"readOnlyHint": false}),
        Class::Destructive => json!({"destructiveHint": true}),
        Class::Unannotated => json!({}),
    };
    json!({"name": name, "description": "d", "inputSchema": {"type": "object"}, "annotations": annotations})
}

/// The program the tests start, as guard and as server.
fn peer() -> PathBuf {
    let test = env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap();
    let peer = built.join("examples/upstreams_peer");
    assert!(peer.exists(), "{} is missing: build the examples", peer.display());
    peer
}
