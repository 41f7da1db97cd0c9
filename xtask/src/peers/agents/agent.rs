//! The agents: what they are called, what they call their tools, and how they are started without awf.

/// An agent that awf can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agent {
    Claude,
    Codex,
    Gemini,
    OpenCode,
    /// awf's own loop over an endpoint.
    Endpoint,
}

impl Agent {
    /// Those that are programs of others.
    pub(super) const CLIS: [Self; 4] = [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode];

    /// The word in a workflow.
    pub(super) fn provider(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
            Self::Endpoint => "openai_compatible",
        }
    }

    /// The package from npm, in an exact version, of those that are programs.
    pub(super) fn package(self) -> &'static str {
        match self {
            Self::Claude => "@anthropic-ai/claude-code@2.1.325",
            Self::Codex => "@openai/codex@0.166.0",
            Self::Gemini => "@google/gemini-cli@0.61.0",
            Self::OpenCode => "opencode-ai@1.18.33",
            Self::Endpoint => "",
        }
    }

    /// The name of awf's `tool`, out of a name that the model sees.
    pub(super) fn awf_tool(self, shown: &str) -> Option<&str> {
        let prefixes: &[&str] = match self {
            Self::Claude => &["mcp__awf-proxy__"],
            // The second is how a script calls it.
            Self::Codex => &["mcp__awf_proxy/", "exec>mcp__awf_proxy__"],
            Self::Gemini => &["mcp_awf-proxy_"],
            Self::OpenCode => &["awf-proxy_"],
            Self::Endpoint => &[""],
        };
        prefixes.iter().find_map(|prefix| shown.strip_prefix(prefix))
    }

    /// Whether a tool can do nothing: readers of resources that awf has none of, and a placeholder.
    pub(super) fn is_neutral(self, shown: &str) -> bool {
        match self {
            Self::Claude => shown == "DeferredToolPlaceholder",
            Self::Codex => matches!(
                shown,
                "list_mcp_resources" | "list_mcp_resource_templates" | "read_mcp_resource"
            ),
            Self::Gemini | Self::OpenCode | Self::Endpoint => false,
        }
    }

    /// A tool it has of its own.
    pub(super) fn native_tool(self) -> Option<&'static str> {
        match self {
            Self::Claude => Some("Bash"),
            Self::Codex => Some("exec"),
            Self::Gemini => Some("read_file"),
            Self::OpenCode => Some("bash"),
            Self::Endpoint => None,
        }
    }

    /// Whether servers of the user's own are not even started when awf intercepts. Their tools are not offered by any.
    pub(super) fn leaves_own_servers(self) -> bool {
        match self {
            Self::Claude | Self::Codex | Self::Gemini | Self::Endpoint => true,
            Self::OpenCode => false,
        }
    }

    /// Its command line with nothing between it and its tools. The prompt comes last, or by the input.
    pub(super) fn unguarded(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &["claude", "-p", "--dangerously-skip-permissions"],
            Self::Codex => &[
                "codex",
                "exec",
                "--skip-git-repo-check",
                "--dangerously-bypass-approvals-and-sandbox",
                "-",
            ],
            Self::Gemini => &["gemini", "--yolo", "--skip-trust"],
            Self::OpenCode => &["opencode", "run", "--", "Go"],
            Self::Endpoint => &[],
        }
    }
}
