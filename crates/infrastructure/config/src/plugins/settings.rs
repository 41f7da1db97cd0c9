//! What a plugin's manifest says it can be configured with, held against what it is configured with.

use awf_core::{Code, Diagnostic, PluginEntry, Severity, shown};
use serde_json::{Map, Value};

use crate::{
    plugins::{manifest::SettingTyped, meant::Declared},
    reader::{Choice, Field, Findings, Mapping, Word},
    yaml::Place,
};

/// Everything a plugin can be configured with.
pub(super) struct Settings(Vec<Setting>);

struct Setting {
    name: String,
    place: Place,
    kind: SettingKind,
    required: bool,
    one_of: Vec<Value>,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SettingKind {
    #[default]
    Any,
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
}

impl Word for SettingKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("array", Self::Array),
        ("object", Self::Object),
        ("", Self::Any),
    ];
}

impl SettingKind {
    fn admits(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::String => value.is_string(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    fn described(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::String => "text",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Boolean => "`true` or `false`",
            Self::Array => "a list",
            Self::Object => "a mapping",
        }
    }
}

impl Settings {
    /// What the manifest says, and the values it gives by itself.
    pub(super) fn meant(
        typed: Field<Mapping<SettingTyped>>,
        findings: &mut Findings<'_>,
    ) -> (Self, Map<String, Value>) {
        let typed = typed.given().map(|config| config.0).unwrap_or_default();
        let (mut settings, mut defaults) = (Vec::new(), Map::new());
        for (name, place, typed) in typed {
            let one_of = typed.one_of.given().unwrap_or_default();
            let setting = Setting {
                place,
                kind: typed.kind.given().map(|Choice(kind)| kind).unwrap_or_default(),
                required: typed.required.given().unwrap_or_default(),
                one_of: one_of.iter().map(crate::yaml::Node::json).collect(),
                name,
            };
            if let Some(default) = typed.default.given().filter(|value| !value.is_null()) {
                if let Some(message) = setting.fault(&default.json()) {
                    findings.say(Code::ConfigInvalid, default.place, message);
                }
                defaults.insert(setting.name.clone(), default.json());
            }
            settings.push(setting);
        }
        (Self(settings), defaults)
    }

    /// What is wrong with the configuration of a declared plugin; `file` declares it.
    pub(super) fn judge(
        &self,
        plugin: &PluginEntry,
        declared: &Declared,
        file: &str,
    ) -> Vec<Diagnostic> {
        let told = self.0.iter().filter_map(|setting| {
            let given = declared.settings.iter().find(|(name, _)| *name == setting.name);
            let (message, place) = match (given, plugin.config.get(&setting.name)) {
                (Some((_, place)), Some(value)) => (setting.fault(value)?, *place),
                (_, value) => (setting.lack(plugin).filter(|_| value.is_none())?, declared.place),
            };
            let finding = Diagnostic::new(Code::ConfigInvalid, message);
            Some(setting.hinted(finding).at(place.in_file(file)))
        });
        told.collect()
    }

    /// What a plugin that nobody declares would need: it may never be used, so a warning. `file` is its manifest.
    pub(super) fn open(&self, plugin: &PluginEntry, file: &str) -> Vec<Diagnostic> {
        let lacking = self.0.iter().filter(|setting| !plugin.config.contains_key(&setting.name));
        let told = lacking.filter_map(|setting| {
            let finding = Diagnostic::new(Code::ConfigInvalid, setting.lack(plugin)?);
            let hint = format!(
                "declare `{}` in `.awf/plugins.yaml` with `config: {{{}: …}}`",
                shown(&plugin.name),
                shown(&setting.name)
            );
            let finding = finding.hinting(hint).at(setting.place.in_file(file));
            Some(Diagnostic { severity: Severity::Warning, ..finding })
        });
        told.collect()
    }
}

impl Setting {
    /// Why a value cannot be this.
    fn fault(&self, value: &Value) -> Option<String> {
        let name = shown(&self.name);
        if !self.kind.admits(value) {
            let value = told(value);
            return Some(format!("`{name}` must be {}, not `{value}`", self.kind.described()));
        }
        let known = self.one_of.is_empty() || self.one_of.contains(value);
        (!known).then(|| format!("`{name}` cannot be `{}`", told(value)))
    }

    /// What is wrong when nobody gives it; a plugin that is switched off needs nothing.
    fn lack(&self, plugin: &PluginEntry) -> Option<String> {
        (self.required && plugin.enabled).then(|| {
            let (plugin, name) = (shown(&plugin.name), shown(&self.name));
            format!("the plugin `{plugin}` needs `{name}` in its `config`")
        })
    }

    fn hinted(&self, finding: Diagnostic) -> Diagnostic {
        if self.one_of.is_empty() {
            return finding.hinting(format!("its manifest asks for {}", self.kind.described()));
        }
        let listed: Vec<String> = self.one_of.iter().map(told).collect();
        finding.hinting(format!("use one of: {}", listed.join(", ")))
    }
}

/// A value in a message.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => shown(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            shown(&value.to_string())
        }
    }
}
