//! What a workflow stands in: its project's plugins, its folders, the workflows it may call.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use awf_config::{PluginPlaces, Switch};
use awf_core::{Diagnostic, PluginCatalog, PluginEntry, Severity, Workflow};
use awf_workflow::{Places, Surroundings, check};
use serde_json::json;

use crate::{
    environment::Environment,
    report::CommandError,
    wiring::{plugin_checksum, plugins_of_awf},
    workflows,
};

/// A project, as far as it is known without starting anything.
pub(crate) struct Project {
    /// Its directory; empty is the working directory.
    pub(crate) dir: PathBuf,
    pub(crate) plugins: PluginCatalog,
    /// The MCP servers that a step of it can have; `None` where a configuration cannot be read.
    servers: Option<Vec<String>>,
    /// What is wrong with its plugins.
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) places: Places,
}

impl Project {
    /// The directory of the project that a workflow's file belongs to: the nearest above it that has a `.awf`, else the
    /// working directory, which is also that of the user's own workflows.
    pub(crate) fn dir_of(file: &Path, environment: &Environment) -> PathBuf {
        let of_user = environment.config_home().is_some_and(|home| file.starts_with(home));
        let mut above = file.ancestors().skip(1).filter(|_| !of_user);
        above.find(|dir| dir.join(".awf").is_dir()).map(Path::to_owned).unwrap_or_default()
    }

    /// Its directory as templates show it: from the root on, without a slash at its end.
    pub(crate) fn path(&self, environment: &Environment) -> PathBuf {
        environment.current_dir.join(&self.dir).components().collect()
    }

    /// Looks at the project in `dir`.
    pub(crate) fn open(dir: PathBuf, environment: &Environment) -> Self {
        let checksum = |entry: &PluginEntry| plugin_checksum(entry, environment);
        let known = plugin_places(&dir, environment, &checksum);
        let (plugins, findings) = awf_config::load_plugins(&known);
        let (places, servers) = (places(&dir, environment), servers(&dir, environment));
        Self { dir, plugins, servers, findings, places }
    }

    /// One whose plugins cannot be read is none to work with.
    pub(crate) fn sound(self) -> Result<Self, CommandError> {
        let grave = self.findings.iter().filter(|found| found.severity == Severity::Error);
        let grave: Vec<Diagnostic> = grave.cloned().collect();
        if grave.is_empty() { Ok(self) } else { Err(grave.into()) }
    }

    /// Everything that can be known of a workflow without starting anything.
    /// `provider` plays the part of every agent, where there is one.
    pub(crate) fn check(
        &self,
        workflow: &Workflow,
        provider: Option<&str>,
        environment: &Environment,
    ) -> Vec<Diagnostic> {
        let called = RefCell::new(BTreeMap::new());
        let load = |from: &str, name: &str| {
            let path = workflows::called(from, name, environment)?;
            let mut called = called.borrow_mut();
            let loaded = called.entry(path.clone()).or_insert_with(|| workflows::load(&path).ok());
            loaded.as_ref()?.workflow.clone()
        };
        let surroundings = Surroundings {
            plugins: &self.plugins,
            servers: self.servers.as_deref(),
            dir: &self.dir,
            awf: &self.namespace(),
            skill_dirs: &self.places.skills,
            role_dirs: &self.places.roles,
            provider,
            option: &awf_agents::check_option,
            file_exists: &Path::is_file,
            read_file: &|path| awf_config::read_text(path).ok(),
            workflows: &load,
        };
        check(workflow, &surroundings)
    }

    /// `awf.*` in templates.
    pub(crate) fn namespace(&self) -> serde_json::Value {
        let places = &self.places;
        json!({
            "prompts_dir": places.prompts_dir,
            "scripts_dir": places.scripts_dir,
            "config_dir": places.config_dir,
            "data_dir": places.data_dir,
            "workflows_dir": places.workflows_dir,
            "plugins_dir": places.plugins_dir,
            "skills_dir": places.skills_dir,
            "roles_dir": places.roles_dir,
        })
    }
}

/// The servers that the user and the project in `dir` configured, but for those that are switched off.
fn servers(dir: &Path, environment: &Environment) -> Option<Vec<String>> {
    let settings = workflows::settings(dir, environment).ok()?;
    let on = settings.servers.into_iter().filter(|server| server.switch == Switch::On);
    Some(on.map(|server| server.name).collect())
}

/// Where the plugins of the project in `dir` are looked for.
pub(crate) fn plugin_places<'p>(
    dir: &'p Path,
    environment: &Environment,
    checksum: &'p dyn Fn(&PluginEntry) -> Option<String>,
) -> PluginPlaces<'p> {
    let here = &environment.current_dir;
    let named = environment.var("AWF_PLUGINS_PATH").filter(|named| !named.is_empty());
    let dirs = if let Some(named) = named {
        std::env::split_paths(named).map(|path| here.join(path)).collect()
    } else {
        let home = environment.awf_home().ok().map(|home| home.join("plugins"));
        [dir.join(".awf/plugins")].into_iter().chain(home).collect()
    };
    PluginPlaces { project: dir, dirs, included: plugins_of_awf(), checksum }
}

fn places(dir: &Path, environment: &Environment) -> Places {
    // Templates reach commands that may run elsewhere: what they are given is absolute.
    let project = environment.current_dir.join(dir).join(".awf");
    let config = environment.config_home().unwrap_or_else(|| project.clone());
    let data = environment.awf_home().unwrap_or_else(|_| project.clone());
    // The project's own folder where it has one, else the user's.
    let own = |name: &str| {
        let beneath = project.join(name);
        if beneath.is_dir() { beneath } else { config.join(name) }
    };
    Places {
        prompts_dir: own("prompts"),
        scripts_dir: own("scripts"),
        workflows_dir: own("workflows"),
        plugins_dir: own("plugins"),
        skills_dir: own("skills"),
        roles_dir: own("roles"),
        skills: searched(dir, environment, &SKILLS),
        roles: searched(dir, environment, &ROLES),
        config_dir: config,
        data_dir: data,
    }
}

/// Where something is looked for by name.
struct Search {
    /// The variable that names the folders instead.
    variable: &'static str,
    in_project: &'static [&'static str],
    in_config: &'static str,
    in_home: &'static [&'static str],
}

const SKILLS: Search = Search {
    variable: "AWF_SKILLS_PATH",
    in_project: &[".awf/skills", ".agents/skills", ".claude/skills"],
    in_config: "skills",
    in_home: &[],
};

const ROLES: Search = Search {
    variable: "AWF_ROLES_PATH",
    in_project: &[".awf/roles", ".agents/roles"],
    in_config: "roles",
    in_home: &[".agents/roles"],
};

fn searched(dir: &Path, environment: &Environment, search: &Search) -> Vec<PathBuf> {
    let here = &environment.current_dir;
    if let Some(named) = environment.var(search.variable) {
        return std::env::split_paths(named).map(|path| here.join(path)).collect();
    }
    let project = search.in_project.iter().map(|folder| here.join(dir).join(folder));
    let config = environment.config_home().map(|home| home.join(search.in_config));
    let home = environment.var("HOME").map(Path::new).into_iter();
    let home = home.flat_map(|home| search.in_home.iter().map(move |folder| home.join(folder)));
    project.chain(config).chain(home).collect()
}
