//! Servers whose tools are offered: each starts when it is first needed, is shared by all who use it, and ends with the
//! run or the gateway that lends it.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use awf_config::{ServerOrigin, ServerSetting, ServerTransport, Switch};
use awf_core::{
    Code, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource, Unannotated,
    is_sensitive, nearest, shown,
};
use awf_process::Guard;
use awf_tools::NoSource;
use awf_upstreams::{Approvals, Ground, Limits, Pins, Transport, Upstream, UpstreamSpec};

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

/// What servers are given under a name that says it is a secret: written out, or by a variable of another name.
pub(super) fn secrets(settings: &[ServerSetting], environment: &Environment) -> Vec<String> {
    let variables = environment.readable().into_iter().collect();
    let given = settings.iter().flat_map(|setting| match &setting.transport {
        ServerTransport::Stdio { env, .. } => env,
        ServerTransport::Http { headers, .. } => headers,
    });
    given
        .filter(|(name, _)| is_sensitive(name))
        .filter_map(|(_, value)| filled(&variables, value).ok())
        .flat_map(|value| [without_scheme(&value).to_owned(), value])
        .collect()
}

/// A header may say how a secret is meant (`Bearer …`); the secret is what follows.
fn without_scheme(value: &str) -> &str {
    value.split_once(' ').map_or(value, |(_, secret)| secret)
}

/// The servers of one run or gateway.
pub(crate) struct Upstreams {
    settings: Vec<ServerSetting>,
    /// Variables, for the basics and for `${NAME}`.
    variables: HashMap<String, String>,
    dir: PathBuf,
    ground: Ground,
    approvals: Approvals,
    known: Mutex<HashMap<String, Arc<Upstream>>>,
}

/// Where servers run, and under whom.
pub(crate) struct UpstreamGround<'a> {
    /// Where those run that say nothing else.
    pub(crate) dir: &'a Path,
    /// Where pins and approvals are kept.
    pub(crate) home: &'a Path,
    pub(crate) guard: Guard,
    /// How old what a server said of its tools may be when a call is judged.
    pub(crate) max_age: Duration,
    /// What a tool without annotations counts as.
    pub(crate) unannotated: Unannotated,
    pub(crate) environment: &'a Environment,
}

impl Upstreams {
    /// Starts nothing.
    pub(crate) fn new(settings: &[ServerSetting], ground: UpstreamGround<'_>) -> Self {
        let UpstreamGround { dir, home, guard, max_age, unannotated, environment } = ground;
        Self {
            settings: settings
                .iter()
                .filter(|setting| setting.switch == Switch::On)
                .cloned()
                .collect(),
            variables: environment.readable().into_iter().collect(),
            dir: dir.to_owned(),
            ground: Ground {
                guard,
                pins: Arc::new(Pins::open(home).counting(unannotated)),
                max_age,
                limits: Limits::default(),
            },
            approvals: Approvals::open(home),
            known: Mutex::default(),
        }
    }

    /// The server of that name, ready to be called, for one who may not close it.
    pub(super) async fn lend(&self, name: &str) -> Result<Arc<dyn ToolProvider>, NoSource> {
        let upstream = self.server(name)?;
        upstream.refresh().await.map_err(|failure| no_source(&failure))?;
        Ok(Arc::new(Lent(upstream)))
    }

    /// Whether any of them is a program that will have to be started.
    pub(super) fn have_programs(&self) -> bool {
        let is_program =
            |setting: &ServerSetting| matches!(setting.transport, ServerTransport::Stdio { .. });
        self.settings.iter().any(is_program)
    }

    /// Every server with its name, none of them started. One that cannot be used says why when it is asked.
    pub(super) fn all(&self) -> Vec<(String, Arc<dyn ToolProvider>)> {
        let each = self.settings.iter().map(|setting| {
            let name = setting.name.clone();
            let source: Arc<dyn ToolProvider> = match self.server(&name) {
                Ok(upstream) => upstream,
                Err(why) => Arc::new(Barred { source: ToolSource::Mcp(name.clone()), why }),
            };
            (name, source)
        });
        each.collect()
    }

    /// The server of that name, if it may be used. It starts when it is first asked.
    pub(crate) fn server(&self, name: &str) -> Result<Arc<Upstream>, NoSource> {
        let setting = self.setting(name)?;
        self.check_approved(setting)?;
        self.unapproved(setting)
    }

    /// The same, whether anybody approved it or not: for those who approve.
    pub(crate) fn unapproved(&self, setting: &ServerSetting) -> Result<Arc<Upstream>, NoSource> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(upstream) = known.get(&setting.name) {
            return Ok(upstream.clone());
        }
        let spec = self.spec(setting)?;
        let upstream = Arc::new(Upstream::new(spec, self.ground.clone()));
        known.insert(setting.name.clone(), upstream.clone());
        Ok(upstream)
    }

    /// What is configured under that name.
    pub(crate) fn setting(&self, name: &str) -> Result<&ServerSetting, NoSource> {
        let found = self.settings.iter().find(|setting| setting.name == name);
        found.ok_or_else(|| {
            let known = self.settings.iter().map(|setting| setting.name.as_str());
            let near = nearest(name, known).first().map(|near| format!("; did you mean `{near}`?"));
            let (name, near) = (shown(name), near.unwrap_or_default());
            let reason = format!("no server `{name}` is configured{near}");
            NoSource { code: Code::ServerUnknown, reason }
        })
    }

    /// Whether a person stands behind it: whoever wrote it into their own files did.
    pub(crate) fn is_approved(&self, setting: &ServerSetting) -> bool {
        match &setting.origin {
            ServerOrigin::User(_) | ServerOrigin::Given(_) => true,
            ServerOrigin::Project(_) => self.approvals.is_approved(&setting.fingerprint()),
        }
    }

    pub(crate) fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// Ends all of them.
    pub(crate) async fn close(&self) {
        let known = std::mem::take(&mut *self.known.lock().unwrap_or_else(PoisonError::into_inner));
        for upstream in known.into_values() {
            upstream.close().await;
        }
    }

    fn check_approved(&self, setting: &ServerSetting) -> Result<(), NoSource> {
        if self.is_approved(setting) {
            return Ok(());
        }
        let name = &setting.name;
        Err(NoSource {
            code: Code::ServerNotApproved,
            reason: format!(
                "server `{name}` is named by the project only; look at what it would start and approve it: awf mcp approve {name}"
            ),
        })
    }

    fn spec(&self, setting: &ServerSetting) -> Result<UpstreamSpec, String> {
        let name = &setting.name;
        let unset = |variable: &str| {
            let variable = shown(variable);
            format!("server `{name}` wants the variable `{variable}`, which is not set")
        };
        let text = |text: &String| filled(&self.variables, text).map_err(unset);
        let transport = match &setting.transport {
            ServerTransport::Http { url, headers } => {
                let header = |(name, value): &(String, String)| Ok((name.clone(), text(value)?));
                let headers = headers.iter().map(header).collect::<Result<_, String>>()?;
                Transport::Http { url: text(url)?, headers }
            }
            ServerTransport::Stdio { command, args, env, cwd } => Transport::Stdio {
                command: text(command)?.into(),
                args: args
                    .iter()
                    .map(|arg| text(arg).map(OsString::from))
                    .collect::<Result<_, _>>()?,
                env: self.environment(env, &text)?,
                cwd: match cwd {
                    Some(cwd) => self.dir.join(text(cwd)?),
                    None => self.dir.clone(),
                },
            },
        };
        Ok(UpstreamSpec { name: name.clone(), transport, identity: setting.identity() })
    }

    /// The basics, and what the setting adds.
    fn environment(
        &self,
        added: &[(String, String)],
        text: &dyn Fn(&String) -> Result<String, String>,
    ) -> Result<Vec<(OsString, OsString)>, String> {
        let mut env: Vec<(OsString, OsString)> = BASICS
            .iter()
            .filter_map(|basic| Some((basic.into(), self.variables.get(*basic)?.into())))
            .collect();
        for (variable, value) in added {
            env.retain(|(known, _)| known != OsStr::new(variable));
            env.push((variable.into(), text(value)?.into()));
        }
        Ok(env)
    }
}

fn no_source(failure: &ToolFailure) -> NoSource {
    NoSource { code: Code::ServerUnavailable, reason: failure.to_string() }
}

/// `${NAME}` filled in, also as others write it: `${env:NAME}`, and `${NAME:-instead}` for one that may not be set. The
/// error is the name of one that is not set.
fn filled<'t>(variables: &HashMap<String, String>, text: &'t str) -> Result<String, &'t str> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        let name = name.strip_prefix("env:").unwrap_or(name);
        let (name, instead) = match name.split_once(":-") {
            Some((name, instead)) => (name, Some(instead)),
            None => (name, None),
        };
        let value = variables.get(name).map(String::as_str).or(instead);
        filled.extend([before, value.ok_or(name)?]);
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

    async fn call_judged(
        &self,
        call: ToolCall,
        tool: &ToolDefinition,
    ) -> Result<ToolResult, ToolFailure> {
        self.0.call_judged(call, tool).await
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

/// A server that is configured and cannot be used.
struct Barred {
    source: ToolSource,
    why: NoSource,
}

impl Barred {
    fn failure(&self) -> ToolFailure {
        let reason = self.why.reason.clone();
        match self.why.code {
            Code::ServerNotApproved => ToolFailure::NotApproved(reason),
            _ => ToolFailure::Unavailable(reason),
        }
    }
}

#[async_trait]
impl ToolProvider for Barred {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(Vec::new())
    }

    async fn call(&self, _: ToolCall) -> Result<ToolResult, ToolFailure> {
        Err(self.failure())
    }

    async fn close(&self) {}

    fn source(&self) -> Option<ToolSource> {
        Some(self.source.clone())
    }

    async fn refresh(&self) -> Result<(), ToolFailure> {
        Err(self.failure())
    }
}
