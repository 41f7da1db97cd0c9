//! A place of its own for one trial of an agent: a home with a login to a model on this machine, a project, and nothing of
//! the user's. Gone with the trial.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use awf_core::AgentKind;
use serde_json::json;
use tempfile::TempDir;

use crate::environment::Environment;

/// What the model is to find in the project.
pub(super) const MARKER: &str = "awf-doctor-read-7731";

/// A file that the prompt names as agents' users do, and that no tool is asked to read.
pub(super) const MENTIONED: &str = "mentioned.txt";
/// What is in it.
pub(super) const MENTION: &str = "awf-doctor-mention-5519";

/// A model for those that ask none.
pub(super) const NOWHERE: &str = "http://127.0.0.1:9";

/// A place for one trial.
pub(super) struct Ward {
    dir: TempDir,
}

impl Ward {
    /// Sets it up, without a login.
    pub(super) fn open(environment: &Environment) -> io::Result<Self> {
        let dir =
            tempfile::Builder::new().prefix("awf-doctor-").tempdir_in(environment.temp_dir())?;
        let ward = Self { dir };
        for name in ["home", "project/.awf", "awf", "config", "tmp"] {
            fs::create_dir_all(ward.dir.path().join(name))?;
        }
        fs::write(ward.project().join("marker.txt"), format!("{MARKER}\n"))?;
        fs::write(ward.project().join(MENTIONED), format!("{MENTION}\n"))?;
        Ok(ward)
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
        let set: [(&str, OsString); 20] = [
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
        ];
        environment.elsewhere(self.project(), &set, &STRANGERS)
    }

    /// Logs every agent in to the models at `url`.
    pub(super) fn log_in(&self, url: &str) -> io::Result<()> {
        let home = self.dir.path().join("home");
        put(&home.join(".codex/config.toml"), &codex(url))?;
        put(&home.join(".gemini/settings.json"), &gemini())?;
        put(&home.join(".config/opencode/opencode.json"), &opencode(url))
    }
}

/// Variables that lead agents to the user's own files, or to another login.
const STRANGERS: [&str; 16] = [
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_MODEL",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_MODEL",
    "GOOGLE_API_KEY",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
];

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
