//! `awf plugin`: which plugins there are, what they offer, and whether they can be relied on.

use std::path::{Path, PathBuf};

use awf_config::PluginSwitch;
use awf_core::{Code, Diagnostic, PluginCatalog, PluginEntry, PluginOrigin, nearest, shown};
use clap::{Args, Subcommand, ValueEnum};

use crate::{
    environment::Environment,
    report::{CommandError, Exit},
    workflows::Project,
};

mod init;
mod list;
mod lock;
mod page;
mod scaffold;
mod switch;
mod verify;

#[derive(Debug, Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(Debug, Subcommand)]
enum PluginCommand {
    /// List the plugins, or their operations; starts nothing
    #[command(visible_alias = "ls")]
    List(list::ListArgs),
    /// Show all that is known of one plugin; starts nothing
    Info(page::InfoArgs),
    /// Switch a plugin on, in `.awf/plugins.yaml`
    Enable(switch::SwitchArgs),
    /// Switch a plugin off, in `.awf/plugins.yaml`
    Disable(switch::SwitchArgs),
    /// Start plugins and see whether each is the one vouched for and speaks as a plugin does
    Verify(verify::VerifyArgs),
    /// Start plugins, and write what they are and offer into `.awf/plugins.lock`
    Lock(lock::LockArgs),
    /// Write the beginnings of a plugin in Rust
    Init(init::InitArgs),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

pub(crate) async fn run(
    args: &PluginArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    match &args.command {
        PluginCommand::List(args) => list::run(args, &opened(environment)?),
        PluginCommand::Info(args) => page::run(args, &opened(environment)?),
        PluginCommand::Enable(args) => {
            switch::run(args, PluginSwitch::On, &opened(environment)?, environment)
        }
        PluginCommand::Disable(args) => {
            switch::run(args, PluginSwitch::Off, &opened(environment)?, environment)
        }
        PluginCommand::Verify(args) => verify::run(args, &opened(environment)?, environment).await,
        PluginCommand::Lock(args) => {
            lock::run(args, &opened_to_lock(environment)?, environment).await
        }
        PluginCommand::Init(args) => init::run(args),
    }
}

/// The project that is worked in.
fn opened(environment: &Environment) -> Result<Project, CommandError> {
    Project::open(PathBuf::new(), environment).sound()
}

/// The same, but for a lock file that cannot be read: it is about to be written anew.
fn opened_to_lock(environment: &Environment) -> Result<Project, CommandError> {
    let mut project = Project::open(PathBuf::new(), environment);
    let of_lock = |found: &Diagnostic| {
        found
            .span
            .as_ref()
            .is_some_and(|span| Path::new(&*span.file).ends_with(".awf/plugins.lock"))
    };
    project.findings.retain(|found| !of_lock(found));
    project.sound()
}

/// The plugin of that name.
fn named<'c>(name: &str, catalog: &'c PluginCatalog) -> Result<&'c PluginEntry, CommandError> {
    catalog.plugin(name).ok_or_else(|| {
        let error = CommandError::of(Code::PluginUnknown, format!("no plugin `{}`", shown(name)));
        let known = catalog.plugins.iter().map(|plugin| plugin.name.as_str());
        match nearest(name, known).first() {
            Some(near) => error.hinting(&format!("did you mean `{near}`?")),
            None => error,
        }
    })
}

/// Those named, or all that are programs of their own and switched on.
fn chosen<'c>(
    names: &[String],
    catalog: &'c PluginCatalog,
) -> Result<Vec<&'c PluginEntry>, CommandError> {
    if names.is_empty() {
        let programs = catalog.plugins.iter().filter(|plugin| !is_included(plugin));
        return Ok(programs.filter(|plugin| plugin.enabled).collect());
    }
    names.iter().map(|name| program(name, catalog)).collect()
}

/// A plugin that is a program and can be started.
fn program<'c>(name: &str, catalog: &'c PluginCatalog) -> Result<&'c PluginEntry, CommandError> {
    let plugin = named(name, catalog)?;
    let shown = shown(name);
    if is_included(plugin) {
        let message = format!("`{shown}` is part of awf: there is no program to start");
        return Err(CommandError::of(Code::InputInvalidFormat, message)
            .hinting("name a plugin that is a program of its own"));
    }
    if !plugin.enabled {
        let message = format!("plugin `{shown}` is switched off");
        let hint = format!("run `awf plugin enable {shown}`");
        return Err(CommandError::of(Code::PluginDisabled, message).hinting(&hint));
    }
    Ok(plugin)
}

fn is_included(plugin: &PluginEntry) -> bool {
    plugin.origin == PluginOrigin::Included
}

/// How a plugin is known, in a word.
fn origin(plugin: &PluginEntry) -> &'static str {
    match plugin.origin {
        PluginOrigin::Declared => "declared",
        PluginOrigin::Found(_) => "found",
        PluginOrigin::Included => "included",
    }
}

fn status(plugin: &PluginEntry) -> &'static str {
    if plugin.enabled { "enabled" } else { "disabled" }
}
