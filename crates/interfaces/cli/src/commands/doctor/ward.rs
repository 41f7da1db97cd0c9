//! A place of its own for one trial of an agent: a home with a login to a model on this machine, a project, and nothing of
//! the user's. Gone with the trial.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::AgentKind;
use serde_json::json;
use tempfile::TempDir;

use crate::environment::{Environment, is_withheld};

/// What the model is to find in the project.
pub(super) const MARKER: &str = "awf-doctor-read-7731";

/// A file that the prompt names as agents' users do, and that no tool is asked to read.
pub(super) const MENTIONED: &str = "mentioned.txt";
/// What is in it.
pub(super) const MENTION: &str = "awf-doctor-mention-5519";

/// A model for those that ask none.
pub(super) const NOWHERE: &str = "http://127.0.0.1:9";

/// What the directories are called.
const PREFIX: &str = "awf-doctor-";
/// A directory that is not locked after this time never will be.
const ABANDONED: Duration = Duration::from_mins(1);

/// A place for one trial. It is locked while it is used; the lock goes with the process, however that ends.
pub(super) struct Ward {
    dir: TempDir,
    /// Held, never read.
    _lock: File,
}

impl Ward {
    /// Sets it up, without a login.
    pub(super) fn open(environment: &Environment) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(environment.temp_dir())?;
        let lock = File::open(dir.path())?;
        lock.try_lock()?;
        let ward = Self { dir, _lock: lock };
        for name in ["home", "project/.awf", "awf", "config", "tmp"] {
            fs::create_dir_all(ward.dir.path().join(name))?;
        }
        fs::write(ward.project().join("marker.txt"), format!("{MARKER}\n"))?;
        fs::write(ward.project().join(MENTIONED), format!("{MENTION}\n"))?;
        Ok(ward)
    }

    /// Removes what doctors that were killed left.
    pub(super) fn sweep(environment: &Environment) {
        let entries = fs::read_dir(environment.temp_dir()).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if is_left(&path)
                && let Ok(dir) = File::open(&path)
                && dir.try_lock().is_ok()
                && let Err(error) = fs::remove_dir_all(&path)
            {
                tracing::warn!(%error, "`{}` could not be removed", path.display());
            }
        }
    }

    /// What the agent takes for the user's.
    pub(super) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// Where the agent works.
    pub(super) fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// The files in the project whose names begin so.
    pub(super) fn files(&self, prefix: &str) -> Vec<String> {
        let entries = fs::read_dir(self.project()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| name.starts_with(prefix)).collect()
    }

    /// What the agent and awf find in their environment: the user's, without what leads back to the user.
    pub(super) fn environment(&self, environment: &Environment, url: &str) -> Environment {
        let at = |name: &str| OsString::from(self.dir.path().join(name));
        let (key, url) = (OsString::from("awf-doctor"), |path: &str| format!("{url}{path}").into());
        let set: [(&str, OsString); 21] = [
            ("HOME", at("home")),
            ("TMPDIR", at("tmp")),
            ("AWF_HOME", at("awf")),
            ("AWF_CONFIG_HOME", at("config")),
            ("ANTHROPIC_BASE_URL", url("")),
            ("ANTHROPIC_API_KEY", key.clone()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("GOOGLE_GEMINI_BASE_URL", url("")),
            ("GEMINI_API_KEY", key.clone()),
            ("OPENAI_BASE_URL", url("/v1")),
            ("OPENAI_API_KEY", key.clone()),
            ("OPENAI_MODEL", "awf-doctor".into()),
            ("CODEX_API_KEY", key),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("NO_COLOR", "1".into()),
            ("TERM", "dumb".into()),
            // Claude Code does not run as root outside of a container, and says so only where nobody listens.
            ("IS_SANDBOX", "1".into()),
            ("NO_PROXY", "127.0.0.1".into()),
            ("no_proxy", "127.0.0.1".into()),
        ];
        environment.elsewhere(self.project(), &set, is_strange)
    }

    /// Logs every agent in to the models at `url`.
    pub(super) fn log_in(&self, url: &str) -> io::Result<()> {
        let home = self.home();
        put(&home.join(".codex/config.toml"), &codex(url))?;
        put(&home.join(".gemini/settings.json"), &gemini())?;
        put(&home.join(".config/opencode/opencode.json"), &opencode(url))
    }
}

/// Whether it may be the directory of a doctor that is gone. Others may put things beside it.
fn is_left(path: &Path) -> bool {
    let named =
        path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(PREFIX));
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    let age = about.modified().ok().and_then(|made| made.elapsed().ok());
    let ours = about.is_dir() && about.uid() == rustix::process::geteuid().as_raw();
    named && ours && age.is_some_and(|age| age > ABANDONED)
}

/// Whether a variable leads agents to the user's own files, or to another login, or is one.
fn is_strange(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy();
    is_withheld(variable)
        || STRANGERS.contains(&name.as_ref())
        || FAMILIES.iter().any(|family| name.starts_with(family))
}

const STRANGERS: [&str; 4] =
    ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
/// The variables of the agents themselves.
const FAMILIES: [&str; 7] =
    ["ANTHROPIC_", "CLAUDE_", "CODEX_", "OPENAI_", "GEMINI_", "GOOGLE_", "OPENCODE_"];

/// How agents are logged in here.
pub(super) fn login(kind: AgentKind) -> &'static str {
    match kind {
        AgentKind::Claude | AgentKind::Gemini | AgentKind::OpenAiCompatible => "API key",
        AgentKind::Codex | AgentKind::OpenCode => "API key of a provider of its own",
        AgentKind::Scripted => "none",
    }
}

fn codex(url: &str) -> String {
    format!(
        "model_provider = \"doctor\"\n\n[model_providers.doctor]\nname = \"doctor\"\nbase_url = \"{url}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"OPENAI_API_KEY\"\nrequest_max_retries = 0\nstream_max_retries = 0\n\n\
         [analytics]\nenabled = false\n"
    )
}

fn gemini() -> String {
    json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "general": {"enableAutoUpdate": false},
    })
    .to_string()
}

fn opencode(url: &str) -> String {
    let model =
        json!({"name": "doctor", "tool_call": true, "limit": {"context": 100_000, "output": 8000}});
    json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "doctor/doctor",
        "small_model": "doctor/small",
        "provider": {"doctor": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "doctor",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "awf-doctor"},
            "models": {"doctor": model, "small": {"name": "small"}},
        }},
    })
    .to_string()
}

/// Writes a file and the directories above it.
pub(super) fn put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}
