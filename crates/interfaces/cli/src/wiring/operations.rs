//! The operations of a project: those of its plugins, each started when it is first used, and those that are part of
//! awf; all behind one port.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{
    Annotations, Code, Exposure, GivenBy, Located, OperationCall, OperationFailure,
    OperationProvider, OperationResult, OperationSchema, PluginCatalog, PluginEntry, PluginOrigin,
    PluginTools, RawJson, SourceTools, StepTypeCall, StepTypeResult, ToolDefinition, ToolProvider,
    ToolSet, ToolSource, is_sensitive, nearest, secrets_in, shown,
};
use awf_operations::Included;
use awf_plugins::{Inventory, Issue, PluginError, PluginSpec, Plugins};
use awf_process::Guard;
use awf_tools::{NoSource, OperationTools, PrivateDir, UnsupportedSchema};
use serde_json::Value;

use crate::{environment::Environment, report::CommandError, secrets};

/// How long a call may take where the project does not say.
const CALL: Duration = Duration::from_mins(2);
/// The longest name of a socket, beneath a folder for each plugin.
const ROOM: usize = "p12345/plugin-123456.sock".len();

/// Enters what plugins are configured with and nobody else may see, at any depth.
pub(super) fn learn(catalog: &PluginCatalog) {
    let settings = catalog.plugins.iter().flat_map(|plugin| &plugin.config);
    secrets::learn(settings.flat_map(|(name, value)| named_secrets(name, value)));
}

fn named_secrets(name: &str, value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => secrets_in(GivenBy::Setting, name, text),
        Value::Array(values) => {
            values.iter().flat_map(|value| named_secrets(name, value)).collect()
        }
        Value::Object(values) => {
            // What a secret is made of is secret, whatever its parts are called.
            let outer = Some(name).filter(|name| is_sensitive(name));
            let named =
                |(own, value): (&String, &Value)| named_secrets(outer.unwrap_or(own), value);
            values.iter().flat_map(named).collect()
        }
        Value::Number(_) | Value::Bool(_) | Value::Null => Vec::new(),
    }
}

/// Plugins that are part of awf.
pub(crate) fn plugins_of_awf() -> Vec<PluginEntry> {
    awf_operations::catalog()
}

/// The checksum of a plugin's binary, where there is one that can be read.
pub(crate) fn plugin_checksum(entry: &PluginEntry, environment: &Environment) -> Option<String> {
    let program = command(entry, environment).into_iter().next()?;
    let program = awf_plugins::locate(&program, &environment.for_shell(), &environment.current_dir);
    awf_plugins::fingerprint(&program?).ok()
}

/// The words a plugin is started with. A program that has a folder is as seen from the working directory of awf.
fn command(entry: &PluginEntry, environment: &Environment) -> Vec<OsString> {
    let mut words = entry.command.iter().cloned();
    let program = words.next().map(|program| {
        let has_folder = program.components().count() > 1;
        if has_folder { environment.current_dir.join(program) } else { program }
    });
    program.into_iter().chain(words).map(PathBuf::into_os_string).collect()
}

/// The operations of one project.
pub(crate) struct Operations {
    catalog: PluginCatalog,
    included: Included,
    plugins: Plugins,
    /// Held while they run.
    _sockets: Option<PrivateDir>,
}

/// Where plugins run, and under whom.
pub(crate) struct PluginGround<'a> {
    /// The project's directory, absolute.
    pub(crate) dir: &'a Path,
    /// Where they may have their sockets: in the first of these in which a path is short enough.
    pub(crate) runtime_dirs: &'a [PathBuf],
    pub(crate) guard: Guard,
    pub(crate) environment: &'a Environment,
}

impl Operations {
    /// Starts nothing.
    pub(crate) fn new(
        catalog: &PluginCatalog,
        ground: PluginGround<'_>,
    ) -> Result<Self, CommandError> {
        let PluginGround { dir, runtime_dirs, guard, environment } = ground;
        let env = environment.for_shell();
        learn(catalog);
        let redactor = secrets::redactor();
        let spec = |entry: &PluginEntry| PluginSpec {
            name: entry.name.clone(),
            command: command(entry, environment),
            cwd: dir.to_owned(),
            env: env.clone(),
            config: entry.config.clone(),
            checksum: entry.checksum.clone(),
            timeout: entry.timeout.unwrap_or(CALL),
            redactor: redactor.clone(),
        };
        let outside = catalog.plugins.iter().filter(|entry| is_outside(entry));
        let specs: Vec<PluginSpec> = outside.filter(|entry| entry.enabled).map(spec).collect();
        let wanted = (!specs.is_empty()).then(|| PrivateDir::make(runtime_dirs, ROOM));
        let sockets = wanted.transpose().map_err(|error| {
            CommandError::of(Code::IoWriteFailed, format!("no place for plugins: {error}"))
        })?;
        let place = sockets.as_ref().map(|dir| dir.path().to_owned()).unwrap_or_default();
        Ok(Self {
            catalog: catalog.clone(),
            included: Included::new(guard.clone(), env, environment.program("notify-send")),
            plugins: Plugins::new(specs, guard, place),
            _sockets: sockets,
        })
    }

    /// The operations that a step exposes, as tools.
    pub(crate) async fn tools(
        self: &Arc<Self>,
        asked: &PluginTools,
    ) -> Result<Arc<dyn ToolProvider>, NoSource> {
        let entry = self.asked(asked.plugin.as_str())?;
        let known = self.operations(&entry.name).await?;
        let chosen = chosen(entry, asked, &known)?;
        let provider: Arc<dyn OperationProvider> = self.clone();
        Ok(Arc::new(OperationTools::new(&entry.name, &chosen, provider)?))
    }

    /// All operations of a plugin, as tools.
    pub(crate) async fn all_tools(
        self: &Arc<Self>,
        plugin: &str,
    ) -> Result<Arc<dyn ToolProvider>, NoSource> {
        let entry = self.asked(plugin)?;
        let known = self.operations(&entry.name).await?.into_iter();
        let all = known.map(|schema| (entry.annotations_of(&schema), schema));
        let all: Vec<_> = all.map(|(annotations, schema)| (schema, annotations)).collect();
        Ok(Arc::new(OperationTools::new(&entry.name, &all, self.clone())?))
    }

    /// The names of the plugins that can be used.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let enabled = self.catalog.plugins.iter().filter(|entry| entry.enabled);
        enabled.map(|entry| entry.name.as_str())
    }

    /// Fails where one of these is not there, or two would be seen under one name. Starts nothing: names and hints are as
    /// the project has them.
    pub(crate) fn check(
        &self,
        plugins: &[PluginTools],
        servers: &[String],
        exposure: Exposure,
    ) -> Result<(), NoSource> {
        let mut sources = Vec::new();
        for asked in plugins {
            let entry = self.asked(asked.plugin.as_str())?;
            if let Some(known) = &entry.operations {
                chosen(entry, asked, known)?;
            }
            let source = ToolSource::Plugin(asked.plugin.value.clone());
            let stub = |name: &Located<String>| stub(entry, &source, name.as_str());
            let tools = asked.expose.iter().map(stub).collect::<Result<_, _>>()?;
            sources.push(SourceTools { tools, source });
        }
        sources.extend(servers.iter().map(|server| SourceTools {
            source: ToolSource::Mcp(server.clone()),
            tools: Vec::new(),
        }));
        Ok(ToolSet::build(&sources, exposure).map(drop)?)
    }

    /// What a plugin says of itself. It is started to be asked.
    pub(crate) async fn inventory(&self, plugin: &str) -> Result<Inventory, PluginError> {
        self.plugins.inventory(plugin).await
    }

    /// What the validators of a plugin find.
    pub(crate) async fn validate(
        &self,
        plugin: &str,
        workflow: &RawJson,
        steps: &[String],
    ) -> Result<Vec<Issue>, PluginError> {
        self.plugins.validate(plugin, workflow, steps).await
    }

    /// Ends every plugin.
    pub(crate) async fn close(&self) {
        self.plugins.close().await;
    }

    /// The plugin that a list of tools names.
    fn asked(&self, plugin: &str) -> Result<&PluginEntry, NoSource> {
        self.entry(plugin).map_err(|failure| match failure {
            OperationFailure::Unknown(_) => {
                let names = self.catalog.plugins.iter().map(|entry| entry.name.as_str());
                let (near, plugin) = (did_you_mean(plugin, names), shown(plugin));
                let reason = format!("plugin `{plugin}` is not declared{near}");
                NoSource { code: Code::ProxyUnknownPlugin, reason }
            }
            other => other.into(),
        })
    }

    fn entry(&self, plugin: &str) -> Result<&PluginEntry, OperationFailure> {
        match self.catalog.plugin(plugin) {
            Some(entry) if entry.enabled => Ok(entry),
            Some(_) => Err(OperationFailure::Disabled(shown(plugin))),
            None => Err(OperationFailure::Unknown(shown(plugin))),
        }
    }

    fn source(&self, plugin: &str) -> Result<&dyn OperationProvider, OperationFailure> {
        let entry = self.entry(plugin)?;
        Ok(if is_outside(entry) { &self.plugins } else { &self.included })
    }
}

/// Whether it is a program of its own.
fn is_outside(entry: &PluginEntry) -> bool {
    match entry.origin {
        PluginOrigin::Declared | PluginOrigin::Found(_) => true,
        PluginOrigin::Included => false,
    }
}

/// The operations that are asked for, each with what it is finally said to do.
fn chosen(
    entry: &PluginEntry,
    asked: &PluginTools,
    known: &[OperationSchema],
) -> Result<Vec<(OperationSchema, Annotations)>, NoSource> {
    let schema_of = |name: &Located<String>| {
        let schema = known.iter().find(|schema| schema.name == name.value);
        let schema = schema.ok_or_else(|| unknown(&entry.name, name.as_str(), known))?;
        Ok((schema.clone(), entry.annotations_of(schema)))
    };
    asked.expose.iter().map(schema_of).collect()
}

/// A tool of which no more is known than its name and what it is said to do.
fn stub(
    entry: &PluginEntry,
    source: &ToolSource,
    name: &str,
) -> Result<Arc<ToolDefinition>, UnsupportedSchema> {
    let schema = OperationSchema { name: name.to_owned(), ..OperationSchema::default() };
    let known = entry.operations.iter().flatten().find(|known| known.name == name);
    let hints = entry.annotations_of(known.unwrap_or(&schema));
    OperationTools::stub(source, name, &hints).map(Arc::new)
}

fn unknown(plugin: &str, operation: &str, known: &[OperationSchema]) -> NoSource {
    let near = did_you_mean(operation, known.iter().map(|schema| schema.name.as_str()));
    let (plugin, operation) = (shown(plugin), shown(operation));
    NoSource {
        code: Code::ProxyUnknownOperation,
        reason: format!("plugin `{plugin}` has no operation `{operation}`{near}"),
    }
}

fn did_you_mean<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(name, names).first().map(|near| format!("; did you mean `{near}`?"));
    near.unwrap_or_default()
}

#[async_trait]
impl OperationProvider for Operations {
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        self.source(plugin)?.operations(plugin).await
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        self.source(&call.plugin)?.execute(call).await
    }

    async fn execute_step(&self, call: StepTypeCall) -> Result<StepTypeResult, OperationFailure> {
        self.source(&call.plugin)?.execute_step(call).await
    }
}
