//! Which variables are the user's.

use std::ffi::OsStr;

use super::is_reserved;

#[test]
fn what_leads_to_the_key_is_the_user_s() {
    for name in [
        "PATH",
        "HOME",
        "BASH_ENV",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "OPENCODE_CONFIG_CONTENT",
        "OPENROUTER_BASE_URL",
        "NODE_OPTIONS",
        "LD_PRELOAD",
        "https_proxy",
        "ALL_PROXY",
    ] {
        assert!(is_reserved(OsStr::new(name)), "{name}");
    }
    for name in ["REGION", "MY_PATH", "TMPDIR", "GIT_AUTHOR_NAME", "GITHUB_TOKEN"] {
        assert!(!is_reserved(OsStr::new(name)), "{name}");
    }
}
