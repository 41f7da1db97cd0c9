//! Switching a plugin on and off in `.awf/plugins.yaml`, as text: comments and layout are the author's.
//!
//! What was edited is read again before it is written. When it says anything else than before, nothing is written.

use awf_core::{Code, Diagnostic, PluginCatalog, PluginEntry, PluginOrigin, nearest, shown};

use crate::{
    file::{Readers, read_text, write_text},
    plugins::{PluginPlaces, load_declared, load_plugins},
};

mod edit;

/// What a plugin shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginSwitch {
    /// Switched on.
    On,
    /// Switched off.
    Off,
}

impl PluginSwitch {
    fn word(self) -> &'static str {
        match self {
            Self::On => "true",
            Self::Off => "false",
        }
    }
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switched {
    /// The file was changed.
    Changed,
    /// It was so already.
    Already,
}

/// Switches a plugin on or off.
pub fn set_enabled(
    places: &PluginPlaces<'_>,
    name: &str,
    switch: PluginSwitch,
) -> Result<Switched, Diagnostic> {
    let (before, _) = load_plugins(places);
    let Some(plugin) = before.plugin(name) else { return Err(unknown(&before, name)) };
    if plugin.origin == PluginOrigin::Included {
        let message = format!("`{}` is part of awf and is always on", shown(name));
        let hint = "leave its operations out of your workflows";
        return Err(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint));
    }
    if plugin.enabled == (switch == PluginSwitch::On) {
        return Ok(Switched::Already);
    }
    let path = places.declaration();
    let text = if path.exists() { read_text(&path)? } else { String::new() };
    let edited = edit::edited(&text, name, switch.word());
    let edited = edited.filter(|edited| is_only_that(&before, edited, places, name, switch));
    let Some(edited) = edited else { return Err(by_hand(name, switch)) };
    write_text(&path, &edited, Readers::Usual)?;
    Ok(Switched::Changed)
}

/// Whether the text says what the file said before, but for that one switch.
fn is_only_that(
    before: &PluginCatalog,
    text: &str,
    places: &PluginPlaces<'_>,
    name: &str,
    switch: PluginSwitch,
) -> bool {
    let (after, _) = load_declared(places, text);
    let mut wanted = sorted(before);
    for plugin in wanted.iter_mut().filter(|plugin| plugin.name == name) {
        plugin.enabled = switch == PluginSwitch::On;
    }
    let mut after = sorted(&after);
    // What the lock file adds depends on the switch: a plugin that is off is not looked at.
    for plugins in [&mut wanted, &mut after] {
        // A line more moves what stands beneath it; what is wrong is no part of what is said.
        for plugin in plugins.iter_mut() {
            (plugin.span, plugin.doubted) = (None, false);
        }
        for plugin in plugins.iter_mut().filter(|plugin| plugin.name == name) {
            (plugin.operations, plugin.step_types, plugin.version) = (None, None, None);
        }
    }
    wanted == after
}

fn sorted(catalog: &PluginCatalog) -> Vec<PluginEntry> {
    let mut plugins = catalog.plugins.clone();
    plugins.sort_by(|a, b| a.name.cmp(&b.name));
    plugins
}

fn unknown(catalog: &PluginCatalog, name: &str) -> Diagnostic {
    let finding = Diagnostic::new(Code::PluginUnknown, format!("no plugin `{}`", shown(name)));
    let names = catalog.plugins.iter().map(|plugin| plugin.name.as_str());
    match nearest(name, names).first() {
        Some(near) => finding.hinting(format!("did you mean `{}`?", shown(near))),
        None => finding,
    }
}

fn by_hand(name: &str, switch: PluginSwitch) -> Diagnostic {
    let message = "`.awf/plugins.yaml` is laid out in a way that cannot be edited safely";
    let hint =
        format!("write `enabled: {}` beside `name: {}` in it by hand", switch.word(), shown(name));
    Diagnostic::new(Code::ConfigInvalid, message).hinting(hint)
}

#[cfg(test)]
mod tests;
