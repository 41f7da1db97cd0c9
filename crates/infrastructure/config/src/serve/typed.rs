//! The file as typed, and what it means.

use std::path::PathBuf;

use awf_core::{
    Ceiling, Code, Diagnostic, IntentPolicy, Mode, Operation, Span, Strictness, Unannotated,
};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;
use serde_saphyr::Spanned;

use crate::{
    parse::span_at,
    serve::{ActivitySetting, ServeConfig},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServeFile {
    #[serde(default, deserialize_with = "given")]
    intercept_builtins: Option<Spanned<bool>>,
    #[serde(default)]
    plugin_tools: Option<Spanned<Vec<IgnoredAny>>>,
    #[serde(default, deserialize_with = "given")]
    root: Option<PathBuf>,
    #[serde(default, deserialize_with = "given")]
    surface: Option<Spanned<SurfaceWord>>,
    #[serde(default, rename = "mcpServers")]
    mcp_servers: Option<Spanned<Value>>,
    #[serde(default)]
    intent_declaration: IntentFile,
    #[serde(default)]
    tools: ToolsFile,
    #[serde(default)]
    activity: ActivityFile,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SurfaceWord {
    Direct,
    Intent,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct IntentFile {
    #[serde(default)]
    mode: ModeWord,
    #[serde(default, deserialize_with = "given")]
    strict_server_validation: Option<bool>,
    #[serde(default)]
    unannotated: UnannotatedWord,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ModeWord {
    #[default]
    TwoKey,
    Inferred,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum UnannotatedWord {
    #[default]
    Trust,
    Write,
    Destructive,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolsFile {
    #[serde(default, deserialize_with = "given")]
    allow: Option<OperationWord>,
    #[serde(default)]
    roots: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum OperationWord {
    Read,
    Write,
    Destructive,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActivityFile {
    #[serde(default, deserialize_with = "given")]
    enabled: Option<bool>,
    #[serde(default)]
    durability: DurabilityWord,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DurabilityWord {
    #[default]
    Process,
    Power,
}

impl ServeFile {
    /// What was typed, or everything that cannot be meant.
    pub(super) fn meant(self, file: &str) -> Result<ServeConfig, Vec<Diagnostic>> {
        let findings = self.unsupported(file);
        if !findings.is_empty() {
            return Err(findings);
        }
        Ok(ServeConfig {
            root: self.root,
            roots: self.tools.roots,
            ceiling: Ceiling(match self.tools.allow {
                Some(OperationWord::Read) => Operation::Read,
                Some(OperationWord::Write) => Operation::Write,
                Some(OperationWord::Destructive) | None => Operation::Destructive,
            }),
            intent: self.intent_declaration.meant(),
            activity: match (self.activity.enabled, self.activity.durability) {
                (Some(false), _) => ActivitySetting::Off,
                (Some(true) | None, DurabilityWord::Process) => ActivitySetting::Process,
                (Some(true) | None, DurabilityWord::Power) => ActivitySetting::Power,
            },
        })
    }

    /// Settings this version knows and cannot honour: refused, never ignored.
    fn unsupported(&self, file: &str) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut refuse = |code, key: &str, span: Span| {
            let message = match code {
                Code::ProxyEmpty => format!("`{key}: false` leaves no tools to serve"),
                _ => format!("`{key}` is not supported by this version of awf"),
            };
            findings.push(Diagnostic::new(code, message).at(span));
        };
        if let Some(plugins) =
            self.plugin_tools.as_ref().filter(|plugins| !plugins.value.is_empty())
        {
            refuse(Code::ConfigUnsupported, "plugin_tools", span(file, plugins));
        }
        if let Some(servers) = self.mcp_servers.as_ref().filter(|servers| !is_empty(&servers.value))
        {
            refuse(Code::ConfigUnsupported, "mcpServers", span(file, servers));
        }
        if let Some(surface) =
            self.surface.as_ref().filter(|surface| matches!(surface.value, SurfaceWord::Intent))
        {
            refuse(Code::ConfigUnsupported, "surface: intent", span(file, surface));
        }
        if let Some(intercept) =
            self.intercept_builtins.as_ref().filter(|intercept| !intercept.value)
        {
            refuse(Code::ProxyEmpty, "intercept_builtins", span(file, intercept));
        }
        findings
    }
}

impl IntentFile {
    fn meant(self) -> IntentPolicy {
        IntentPolicy {
            mode: match self.mode {
                ModeWord::TwoKey => Mode::TwoKey,
                ModeWord::Inferred => Mode::Inferred,
            },
            strictness: match self.strict_server_validation {
                Some(true) | None => Strictness::Strict,
                Some(false) => Strictness::Permissive,
            },
            unannotated: match self.unannotated {
                UnannotatedWord::Trust => Unannotated::Trust,
                UnannotatedWord::Write => Unannotated::Write,
                UnannotatedWord::Destructive => Unannotated::Destructive,
            },
        }
    }
}

/// A key that is there must have a value: `allow:` with nothing behind it would otherwise mean that all is allowed.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// Both forms of `mcpServers`, object and array, may be there and name nobody.
fn is_empty(servers: &Value) -> bool {
    match servers {
        Value::Null => true,
        Value::Object(servers) => servers.is_empty(),
        Value::Array(servers) => servers.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn span<T>(file: &str, spanned: &Spanned<T>) -> Span {
    span_at(file, spanned.referenced)
}
