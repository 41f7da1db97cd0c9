//! What the tests share: one plugin of a manner, and calls of it.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::{
    OperationCall, OperationFailure, OperationProvider as _, OperationResult, RawJson, RawObject,
    Redactor,
};
use awf_plugins::{PluginSpec, Plugins};
use awf_process::{Guard, GuardCommand};
use serde_json::Map;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Long enough for a busy machine; nobody waits that long when things work.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Stage {
    pub(crate) world: TempDir,
    guard: Guard,
    pub(crate) plugins: Plugins,
}

impl Stage {
    pub(crate) fn new(manner: &str) -> Self {
        Self::with(spec(manner))
    }

    pub(crate) fn with(spec: PluginSpec) -> Self {
        let world = TempDir::new().unwrap();
        let guard = Guard::new(GuardCommand { program: peer(), args: vec!["guard".into()] });
        let plugins = Plugins::new(vec![spec], guard.clone(), world.path().to_owned());
        Self { world, guard, plugins }
    }

    pub(crate) fn patient_for(self, limit: Duration) -> Self {
        Self { plugins: self.plugins.with_start_limit(limit), ..self }
    }

    /// Further plugins behind the same guard.
    pub(crate) fn another(&self, spec: PluginSpec, sockets: &Path) -> Plugins {
        Plugins::new(vec![spec], self.guard.clone(), sockets.to_owned())
    }

    /// Uses an operation with the members of a JSON object.
    pub(crate) async fn execute(
        &self,
        operation: &str,
        inputs: &str,
    ) -> Result<OperationResult, OperationFailure> {
        self.plugins.execute(call(operation, inputs)).await
    }

    pub(crate) async fn pid(&self) -> String {
        self.execute("pid", "{}").await.unwrap().output
    }

    /// Why the plugin does not start.
    pub(crate) async fn refusal(&self) -> String {
        self.plugins.inventory("peer").await.unwrap_err().to_string()
    }

    /// The directories of sockets that are there.
    pub(crate) fn folders(&self) -> usize {
        self.world.path().read_dir().unwrap().count()
    }
}

pub(crate) fn spec(manner: &str) -> PluginSpec {
    PluginSpec {
        name: "peer".into(),
        command: vec![peer().into(), "plugin".into(), manner.into()],
        cwd: "/".into(),
        env: vec![("PATH".into(), "/bin".into()), ("PLUGIN_MULTIPLEX_GRPC".into(), "1".into())],
        config: Map::new(),
        checksum: None,
        timeout: PATIENCE,
        redactor: Redactor::default(),
    }
}

pub(crate) fn call(operation: &str, inputs: &str) -> OperationCall {
    OperationCall {
        plugin: "peer".into(),
        operation: operation.into(),
        inputs: RawObject::read(&RawJson::parse(inputs).unwrap()).unwrap(),
        trace: None,
        cancel: CancellationToken::new(),
    }
}

/// The program the tests start, as guard and as plugin.
pub(crate) fn peer() -> PathBuf {
    let test = env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap();
    let peer = built.join("examples/plugins_peer");
    assert!(peer.exists(), "{} is missing: build the examples", peer.display());
    peer
}
