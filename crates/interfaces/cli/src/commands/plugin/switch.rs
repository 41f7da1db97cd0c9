//! `awf plugin enable` and `awf plugin disable`.

use awf_config::{PluginSwitch, Switched};
use awf_core::{Code, PluginEntry};
use clap::Args;

use crate::{
    commands::plugin::{is_included, named},
    environment::Environment,
    report::{CommandError, Exit, say},
    wiring::plugin_checksum,
    workflows::{Project, plugin_places},
};

#[derive(Debug, Args)]
pub(super) struct SwitchArgs {
    /// The plugin
    name: String,
}

pub(super) fn run(
    args: &SwitchArgs,
    switch: PluginSwitch,
    project: &Project,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let plugin = named(&args.name, &project.plugins)?;
    let name = &plugin.name;
    if is_included(plugin) {
        let message = format!("`{name}` is part of awf and always on");
        let hint = "a step has only those operations that it names";
        return Err(CommandError::of(Code::InputInvalidFormat, message).hinting(hint));
    }
    let checksum = |entry: &PluginEntry| plugin_checksum(entry, environment);
    let places = plugin_places(&project.dir, environment, &checksum);
    let word = match switch {
        PluginSwitch::On => "enabled",
        PluginSwitch::Off => "disabled",
    };
    match awf_config::set_enabled(&places, name, switch).map_err(|found| vec![found])? {
        Switched::Already => say(&format!("plugin `{name}` is {word} already")),
        Switched::Changed => {
            say(&format!("plugin `{name}` is {word} now: see `.awf/plugins.yaml`"));
        }
    }
    Ok(Exit::Ok)
}
