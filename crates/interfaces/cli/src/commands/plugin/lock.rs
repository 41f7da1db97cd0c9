//! `awf plugin lock`.

use awf_config::{Lock, LockedPlugin};
use awf_core::{Code, OperationFailure, PluginCatalog, PluginEntry};
use clap::Args;

use crate::{
    commands::plugin::chosen,
    environment::Environment,
    report::{CommandError, Exit, say},
    wiring::{Probe, plugin_checksum},
    workflows::Project,
};

#[derive(Debug, Args)]
pub(super) struct LockArgs {
    /// Plugins; without any: all that are switched on
    #[arg(value_name = "PLUGIN")]
    names: Vec<String>,
}

pub(super) async fn run(
    args: &LockArgs,
    project: &Project,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let chosen = chosen(&args.names, &project.plugins)?;
    // One that cannot be read vouches for nothing.
    let old = awf_config::read_lock(&project.dir).ok().flatten().unwrap_or_default();
    let mut lock = Lock::default();
    // What is not looked at now stays as it was, unless it is no longer there.
    let kept = |locked: &&LockedPlugin| {
        let known = project.plugins.plugin(&locked.name).is_some();
        known && chosen.iter().all(|plugin| plugin.name != locked.name)
    };
    lock.plugins.extend(old.plugins.iter().filter(kept).cloned());
    for plugin in &chosen {
        lock.plugins.push(locked(plugin, &old, project, environment).await?);
    }
    awf_config::write_lock(&project.dir, &lock).map_err(|found| vec![found])?;
    let count = chosen.len();
    let plural = if count == 1 { "" } else { "s" };
    say(&format!("{count} plugin{plural} locked in `.awf/plugins.lock`"));
    Ok(Exit::Ok)
}

async fn locked(
    plugin: &PluginEntry,
    old: &Lock,
    project: &Project,
    environment: &Environment,
) -> Result<LockedPlugin, CommandError> {
    let checksum = plugin_checksum(plugin, environment);
    // It is asked under this very checksum, unless the project vouches for another: what is locked is what was asked.
    let was = old.plugins.iter().find(|locked| locked.name == plugin.name);
    let was = was.map(|locked| &locked.checksum);
    let declared = plugin.checksum.clone().filter(|vouched| Some(vouched) != was);
    let entry = PluginEntry { checksum: declared.or(checksum.clone()), ..plugin.clone() };
    let catalog = PluginCatalog { plugins: vec![entry] };
    let probe = Probe::open(project, &catalog, environment)?;
    let said = probe.operations.inventory(&plugin.name).await;
    probe.close().await;
    let found = said.map_err(|error| {
        CommandError::of(OperationFailure::from(error.clone()).code(), error.to_string())
    })?;
    let checksum = checksum.ok_or_else(|| {
        let message = format!("the program of plugin `{}` cannot be read", plugin.name);
        CommandError::of(Code::PluginStartFailed, message)
    })?;
    Ok(LockedPlugin {
        name: plugin.name.clone(),
        checksum,
        version: Some(found.info.version).filter(|version| !version.is_empty()),
        operations: found.operations,
        step_types: found.step_types,
    })
}
