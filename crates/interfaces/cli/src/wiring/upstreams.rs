//! Servers whose tools steps are offered: started when a step first wants them, shared by all steps, ended with the run.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use awf_config::ServerSetting;
use awf_core::{
    ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource, is_sensitive,
    nearest, shown,
};
use awf_process::Guard;
use awf_upstreams::{Ground, Limits, Pins, Transport, Upstream, UpstreamSpec};
use tokio::sync::Mutex;

use crate::environment::Environment;

/// What every server finds in its environment; the rest is named in its setting.
const BASICS: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// A list of tools older than this is asked for again.
const MAX_AGE: Duration = Duration::from_secs(10);

/// What servers are given under a name that says it is a secret: written out, or by a variable of another name.
pub(super) fn secrets(settings: &[ServerSetting], environment: &Environment) -> Vec<String> {
    let variables = environment.readable().into_iter().collect();
    let given = settings.iter().flat_map(|setting| &setting.env);
    given
        .filter(|(name, _)| is_sensitive(name))
        .filter_map(|(_, value)| filled(&variables, value).ok())
        .collect()
}

/// The servers of one run.
pub(super) struct Upstreams {
    settings: Vec<ServerSetting>,
    /// Variables, for the basics and for `${NAME}`.
    variables: HashMap<String, String>,
    dir: PathBuf,
    ground: Ground,
    running: Mutex<HashMap<String, Arc<Upstream>>>,
}

impl Upstreams {
    /// Starts nothing.
    pub(super) fn new(
        settings: &[ServerSetting],
        environment: &Environment,
        dir: &Path,
        (guard, home): (Guard, &Path),
    ) -> Self {
        let pins = Arc::new(Pins::open(home));
        Self {
            settings: settings.to_vec(),
            variables: environment.readable().into_iter().collect(),
            dir: dir.to_owned(),
            ground: Ground { guard, pins, max_age: MAX_AGE, limits: Limits::default() },
            running: Mutex::default(),
        }
    }

    /// The server of that name, started if it is not yet. The error says why there is none.
    pub(super) async fn lend(&self, name: &str) -> Result<Arc<dyn ToolProvider>, String> {
        let spec = self.spec(name)?;
        // Held while it starts: steps that run at once share one.
        let mut running = self.running.lock().await;
        let upstream = running
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(Upstream::new(spec, self.ground.clone())));
        upstream.refresh().await.map_err(|failure| failure.to_string())?;
        Ok(Arc::new(Lent(upstream.clone())))
    }

    /// Ends all of them.
    pub(super) async fn close(&self) {
        for (_, upstream) in self.running.lock().await.drain() {
            upstream.close().await;
        }
    }

    fn spec(&self, name: &str) -> Result<UpstreamSpec, String> {
        let known = || self.settings.iter().map(|setting| setting.name.as_str());
        let setting =
            self.settings.iter().find(|setting| setting.name == name).ok_or_else(|| {
                let near =
                    nearest(name, known()).first().map(|near| format!("; did you mean `{near}`?"));
                let (name, near) = (shown(name), near.unwrap_or_default());
                format!("server `{name}` is not in `mcpServers` of the user's `config.yaml`{near}")
            })?;
        let unset = |variable: &str| {
            let (name, variable) = (shown(name), shown(variable));
            format!("server `{name}` wants the variable `{variable}`, which is not set")
        };
        let filled =
            |text: &String| filled(&self.variables, text).map(OsString::from).map_err(unset);
        let mut env: Vec<(OsString, OsString)> = BASICS
            .iter()
            .filter_map(|basic| Some((basic.into(), self.variables.get(*basic)?.into())))
            .collect();
        for (variable, value) in &setting.env {
            env.retain(|(known, _)| known != OsStr::new(variable));
            env.push((variable.into(), filled(value)?));
        }
        let transport = Transport::Stdio {
            command: filled(&setting.command)?,
            args: setting.args.iter().map(filled).collect::<Result<_, _>>()?,
            env,
            cwd: self.dir.join(setting.cwd.as_deref().unwrap_or_default()),
        };
        let fingerprint = format!("{:?} {:?}", setting.command, setting.args);
        Ok(UpstreamSpec { name: name.to_owned(), transport, fingerprint })
    }
}

/// `${NAME}` filled in; the error is the name of one that is not set.
fn filled<'t>(variables: &HashMap<String, String>, text: &'t str) -> Result<String, &'t str> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        filled.extend([before, variables.get(name).ok_or(name)?]);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// A server that a session may use and not close.
struct Lent(Arc<Upstream>);

#[async_trait]
impl ToolProvider for Lent {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.0.tools().await
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.0.call(call).await
    }

    async fn close(&self) {}

    fn source(&self) -> Option<ToolSource> {
        self.0.source()
    }

    fn revision(&self) -> u64 {
        self.0.revision()
    }

    async fn refresh(&self) -> Result<(), ToolFailure> {
        self.0.refresh().await
    }
}
