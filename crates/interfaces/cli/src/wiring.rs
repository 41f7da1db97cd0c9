//! The only place that names every adapter: from a configuration to a router that works.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_builtins::{BuiltinError, BuiltinSettings, Builtins, ShellSettings};
use awf_config::ActivitySetting;
use awf_core::Retention;
use awf_process::{Guard, GuardCommand};
use awf_store::{ActivityStore, Durability};

use crate::{
    environment::{Environment, is_withheld},
    report::CommandError,
};

mod agents;
mod last_will;
mod openai;
mod operations;
mod plugin_source;
mod probe;
mod scratch;
mod step_tools;
mod toolset;
mod upstreams;
mod workshop;

pub(crate) use agents::installed;
pub(crate) use last_will::guard_main;
pub(crate) use operations::{plugin_checksum, plugins_of_awf};
pub(crate) use probe::Probe;
pub(crate) use toolset::{Shelf, Toolset, project_here};
pub(crate) use upstreams::{
    Filling, UpstreamGround, Upstreams, learn as learn_servers, learn_transports,
};
pub(crate) use workshop::{Company, Workshop};

/// The first argument that makes this executable the guard of another one's children.
pub(crate) const GUARD_WORD: &str = "__guard";

/// The activity log, unless it is switched off.
fn activity(
    setting: ActivitySetting,
    retention: Retention,
    home: &Path,
) -> Option<Arc<ActivityStore>> {
    let durability = match setting {
        ActivitySetting::Off => return None,
        ActivitySetting::Process => Durability::Process,
        ActivitySetting::Power => Durability::Power,
    };
    Some(Arc::new(ActivityStore::open(home, durability).keeping(retention)))
}

fn seal(store: Option<&ActivityStore>) {
    if let Some(Err(error)) = store.map(ActivityStore::close) {
        tracing::warn!(%error, "the activity journal could not be sealed");
    }
}

/// A guard for children: this same executable.
pub(crate) fn guard(executable: &Path) -> Guard {
    Guard::new(GuardCommand { program: executable.to_owned(), args: vec![GUARD_WORD.into()] })
}

/// What the built-in tools of all routers of this process have in common.
#[derive(Clone)]
struct BuiltinGround {
    executable: PathBuf,
    shell: OsString,
    env: Vec<(OsString, OsString)>,
    home: PathBuf,
}

impl BuiltinGround {
    fn new(environment: &Environment, home: &Path) -> Self {
        Self {
            executable: environment.executable.clone(),
            shell: environment.shell(),
            env: environment.for_shell(),
            home: home.to_owned(),
        }
    }

    /// The same with further variables for the shell; what is withheld stays so.
    fn with_env(&self, added: &[(OsString, OsString)]) -> Self {
        let mut env: BTreeMap<OsString, OsString> = self.env.iter().cloned().collect();
        env.extend(added.iter().filter(|(name, _)| !is_withheld(name)).cloned());
        Self { env: env.into_iter().collect(), ..self.clone() }
    }

    /// The six tools beneath `root`; their shell runs under a guard of its own. What is protected they do not write.
    fn open(
        &self,
        root: PathBuf,
        extra_roots: Vec<PathBuf>,
        protected: Vec<PathBuf>,
    ) -> Result<Arc<Builtins>, BuiltinError> {
        let settings = BuiltinSettings {
            root,
            extra_roots,
            shell: ShellSettings {
                program: self.shell.clone(),
                env: self.env.clone(),
                log_dir: self.home.join("background"),
            },
            protected: protected.into_iter().chain([self.home.clone()]).collect(),
            guard: guard(&self.executable),
        };
        Builtins::new(settings).map(Arc::new)
    }
}

/// The activity log, to be read.
pub(crate) fn activity_store(environment: &Environment) -> Result<ActivityStore, CommandError> {
    Ok(ActivityStore::open(&environment.awf_home()?, Durability::Process))
}
