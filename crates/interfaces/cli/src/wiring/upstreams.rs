//! Servers whose tools are offered: each starts when it is first needed, is shared by all who use it, and ends with the
//! run or the gateway that lends it.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use awf_config::{ServerOrigin, ServerSetting, ServerTransport, Switch};
use awf_core::{
    Code, GivenBy, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult, ToolSource,
    Unannotated, nearest, secrets_in, shown,
};
use awf_process::Guard;
use awf_tools::NoSource;
use awf_upstreams::{Approvals, Ground, Limits, Pins, Upstream};

use crate::{environment::Environment, secrets, variables::filled};

mod blame;
mod filling;

pub(crate) use filling::Filling;

/// Enters what servers are given and nobody else may see: variables, headers, arguments and addresses, written out or by
/// a variable.
pub(crate) fn learn(settings: &[ServerSetting], environment: &Environment) {
    learn_transports(settings.iter().map(|setting| &setting.transport), environment);
}

/// The same for servers that are not in any configuration yet.
pub(crate) fn learn_transports<'s>(
    transports: impl IntoIterator<Item = &'s ServerTransport>,
    environment: &Environment,
) {
    let variables = environment.readable().into_iter().collect();
    let given = transports.into_iter().flat_map(given);
    let filled =
        given.filter_map(|(by, name, value)| Some((by, name, filled(&variables, value).ok()?)));
    secrets::learn(filled.flat_map(|(by, name, value)| secrets_in(by, name, &value)));
}

/// Every text of a setting that may hold a secret, by its name.
fn given(transport: &ServerTransport) -> Vec<(GivenBy, &str, &str)> {
    match transport {
        ServerTransport::Stdio { args, env, .. } => {
            let env = env.iter().map(|(name, value)| (GivenBy::Setting, &**name, &**value));
            env.chain(arguments(args)).collect()
        }
        ServerTransport::Http { url, headers } => {
            let headers = headers.iter().map(|(name, value)| (GivenBy::Header, &**name, &**value));
            headers.chain([(GivenBy::Setting, "url", &**url)]).collect()
        }
    }
}

/// Arguments by the flag that they follow, or that they are part of.
fn arguments(args: &[String]) -> impl Iterator<Item = (GivenBy, &str, &str)> {
    let before = [""].into_iter().chain(args.iter().map(String::as_str));
    before.zip(args).map(|(before, arg)| {
        let flag = if before.starts_with('-') { before } else { "" };
        let (name, value) = match arg.split_once('=') {
            Some((own, value)) if own.starts_with('-') => (own, value),
            Some(_) | None => (flag, &**arg),
        };
        (GivenBy::Environment, name, value)
    })
}

/// The servers of one run or gateway.
pub(crate) struct Upstreams {
    settings: Vec<ServerSetting>,
    filling: Filling,
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
        learn(settings, environment);
        Self {
            settings: settings
                .iter()
                .filter(|setting| setting.switch == Switch::On)
                .cloned()
                .collect(),
            filling: Filling::new(dir, environment),
            ground: Ground {
                guard,
                pins: Arc::new(Pins::open(home).counting(unannotated)),
                max_age,
                limits: Limits::default(),
                redactor: secrets::redactor(),
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

    /// Every server's setting, and why it cannot be used if so. Starts nothing.
    pub(crate) fn outlook(&self) -> impl Iterator<Item = (&ServerSetting, Option<String>)> {
        self.settings.iter().map(|setting| {
            let fault = self.server(&setting.name).err().map(|why| why.reason);
            (setting, fault)
        })
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
        let unusable = |reason| NoSource { code: Code::ServerUnavailable, reason };
        let spec = self.filling.spec(setting).map_err(unusable)?;
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
        let why = if self.approvals.knew(name, setting.ground.as_deref()) {
            "changed since it was approved"
        } else {
            "is named by the project only"
        };
        Err(NoSource {
            code: Code::ServerNotApproved,
            reason: format!(
                "server `{name}` {why}; look at what it would start and approve it: awf mcp approve {name}"
            ),
        })
    }
}

fn no_source(failure: &ToolFailure) -> NoSource {
    NoSource { code: Code::ServerUnavailable, reason: failure.to_string() }
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
