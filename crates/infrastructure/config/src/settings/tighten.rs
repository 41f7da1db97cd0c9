//! Joining two configurations: the project may say less than the user allows, never more.

use std::path::{Component, Path, PathBuf};

use awf_core::{
    Ceiling, Code, Diagnostic, IntentPolicy, Mode, Operation, Strictness, Unannotated, shown,
};
use serde_json::{Map, Value};

use crate::{
    policy::{ActivitySetting, ActivityTyped, Durability, IntentTyped, ToolsTyped},
    reader::{Choice, Field, Findings, Word},
    settings::{Settings, TelemetrySettings, typed::SettingsTyped, unsupported},
    yaml::Place,
};

/// One file: what it says, and where.
#[derive(Default)]
pub(super) struct Layer {
    file: String,
    /// Where relative paths begin.
    base: PathBuf,
    inputs: Map<String, Value>,
    exporter: Option<(String, Place)>,
    service_name: Option<String>,
    allow: Option<(Operation, Place)>,
    roots: Vec<(PathBuf, Place)>,
    mode: Option<(Mode, Place)>,
    strict: Option<(bool, Place)>,
    unannotated: Option<(Unannotated, Place)>,
    enabled: Option<(bool, Place)>,
    durability: Option<(Durability, Place)>,
}

impl Layer {
    /// What `typed` says, which was read from `path`.
    pub(super) fn of(path: &Path, typed: SettingsTyped, findings: &mut Findings<'_>) -> Self {
        for (key, place) in [("notify", typed.notify.key()), ("mcpServers", typed.servers.key())] {
            if let Some(place) = place {
                findings.add(unsupported(key), place);
            }
        }
        let inputs = typed.inputs.given().map(|inputs| inputs.0).unwrap_or_default();
        let mut layer = Self {
            file: path.display().to_string(),
            base: base(path),
            inputs: inputs.into_iter().map(|(name, _, text)| (name, text.into())).collect(),
            ..Self::default()
        };
        if let Some(telemetry) = typed.telemetry.given() {
            layer.exporter = said(telemetry.exporter);
            layer.service_name = telemetry.service_name.given();
        }
        if let Some(ToolsTyped { allow, roots }) = typed.tools.given() {
            layer.allow = chosen(allow);
            let roots = roots.given().unwrap_or_default();
            layer.roots = roots.into_iter().map(|root| (root.path, root.place)).collect();
        }
        if let Some(IntentTyped { mode, strict_server_validation, unannotated }) =
            typed.intent_declaration.given()
        {
            layer.mode = chosen(mode);
            layer.strict = said(strict_server_validation);
            layer.unannotated = chosen(unannotated);
        }
        if let Some(ActivityTyped { enabled, durability }) = typed.activity.given() {
            layer.enabled = said(enabled);
            layer.durability = chosen(durability);
        }
        layer
    }
}

/// Relative paths of `<project>/.awf/config.yaml` begin at the project, those of another file beside it.
fn base(path: &Path) -> PathBuf {
    let dir = path.parent().unwrap_or(Path::new(""));
    if dir.file_name().is_some_and(|name| name == ".awf") {
        dir.parent().unwrap_or(dir)
    } else {
        dir
    }
    .to_owned()
}

fn said<T>(field: Field<T>) -> Option<(T, Place)> {
    let place = field.key()?;
    field.given().map(|value| (value, place))
}

fn chosen<T>(field: Field<Choice<T>>) -> Option<(T, Place)> {
    said(field).map(|(choice, place)| (choice.0, place))
}

/// Both together, or every setting of the project that loosens one of the user.
pub(super) fn join(user: Layer, project: Layer) -> Result<Settings, Vec<Diagnostic>> {
    let mut join = Join { user: &user.file, project: &project.file, conflicts: Vec::new() };
    let allow = join.stricter("tools.allow", user.allow, project.allow, Operation::Destructive);
    let intent = join.intent(&user, &project);
    let activity = join.activity(&user, &project);
    let exporter = join.exporter(user.exporter, project.exporter);
    let own: Vec<PathBuf> = user.roots.iter().map(|(root, _)| user.base.join(root)).collect();
    let added = join.roots(&project.roots, &own);
    if !join.conflicts.is_empty() {
        return Err(join.conflicts);
    }
    let mut inputs = user.inputs;
    inputs.extend(project.inputs);
    let added = added.into_iter().map(|root| project.base.join(root));
    Ok(Settings {
        inputs,
        telemetry: TelemetrySettings {
            exporter,
            service_name: project.service_name.or(user.service_name),
        },
        ceiling: Ceiling(allow),
        roots: own.into_iter().chain(added).collect(),
        intent,
        activity,
    })
}

/// Values of a setting in the order of their strictness.
trait Graded: Copy + PartialEq {
    /// The higher, the stricter.
    fn grade(self) -> u8;
    /// The word in the file.
    fn word(self) -> &'static str;
}

struct Join<'f> {
    user: &'f str,
    project: &'f str,
    conflicts: Vec<Diagnostic>,
}

impl Join<'_> {
    /// The project's value, unless it is looser than the user's or the default.
    fn stricter<T: Graded>(
        &mut self,
        key: &str,
        user: Option<(T, Place)>,
        project: Option<(T, Place)>,
        default: T,
    ) -> T {
        let bound = user.map_or(default, |(value, _)| value);
        let Some((value, place)) = project else { return bound };
        if value.grade() < bound.grade() {
            let (value, bound) = (value.word(), bound.word());
            let message = match user {
                Some(_) => format!("`{key}: {value}` is looser than the user's `{bound}`"),
                None => format!("`{key}: {value}` is looser than the default `{bound}`"),
            };
            self.refuse(place, message, user.map(|(_, place)| place));
        }
        value
    }

    fn intent(&mut self, user: &Layer, project: &Layer) -> IntentPolicy {
        let key = |name: &str| format!("intent_declaration.{name}");
        let mode = self.stricter(&key("mode"), user.mode, project.mode, Mode::default());
        let strict =
            self.stricter(&key("strict_server_validation"), user.strict, project.strict, true);
        let unannotated = self.stricter(
            &key("unannotated"),
            user.unannotated,
            project.unannotated,
            Unannotated::default(),
        );
        let strictness = if strict { Strictness::Strict } else { Strictness::Permissive };
        IntentPolicy { mode, strictness, unannotated }
    }

    fn activity(&mut self, user: &Layer, project: &Layer) -> ActivitySetting {
        let enabled = self.stricter("activity.enabled", user.enabled, project.enabled, true);
        let durability = self.stricter(
            "activity.durability",
            user.durability,
            project.durability,
            Durability::default(),
        );
        ActivitySetting::of(enabled.then_some(durability))
    }

    /// Spans go to one place, and no project may lead them elsewhere.
    fn exporter(
        &mut self,
        user: Option<(String, Place)>,
        project: Option<(String, Place)>,
    ) -> Option<String> {
        if let (Some((one, at)), Some((other, place))) = (&user, &project)
            && one != other
        {
            let (one, other) = (shown(one), shown(other));
            let message = format!("`telemetry.exporter: {other}` is not the user's `{one}`");
            self.refuse(*place, message, Some(*at));
        }
        user.or(project).map(|(exporter, _)| exporter)
    }

    /// The project's roots: within itself, or within what the user opened.
    fn roots(&mut self, roots: &[(PathBuf, Place)], own: &[PathBuf]) -> Vec<PathBuf> {
        for (root, place) in roots {
            let climbs = root.components().any(|part| part == Component::ParentDir);
            let within = root.is_relative() || own.iter().any(|own| root.starts_with(own));
            if climbs || !within {
                let name = shown(&root.display().to_string());
                let message = format!(
                    "`{name}` in `tools.roots` is neither in the project nor in a root of the user"
                );
                self.refuse(*place, message, None);
            }
        }
        roots.iter().map(|(root, _)| root.clone()).collect()
    }

    fn refuse(&mut self, place: Place, message: String, user: Option<Place>) {
        let hint = match user {
            Some(user) => format!(
                "a project may only tighten: remove it here, or change line {} of `{}`",
                user.line, self.user
            ),
            None => {
                "a project may only tighten: remove it here, or say it in the user's configuration"
                    .to_owned()
            }
        };
        let finding = Diagnostic::new(Code::ConfigConflict, message).hinting(hint);
        self.conflicts.push(finding.at(place.in_file(self.project)));
    }
}

fn word_of<T: Word + PartialEq>(value: T) -> &'static str {
    T::WORDS.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| *word)
}

impl Graded for Operation {
    fn grade(self) -> u8 {
        match self {
            Self::Destructive => 0,
            Self::Write => 1,
            Self::Read => 2,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Mode {
    fn grade(self) -> u8 {
        match self {
            Self::Inferred => 0,
            Self::TwoKey => 1,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Unannotated {
    fn grade(self) -> u8 {
        match self {
            Self::Trust => 0,
            Self::Write => 1,
            Self::Destructive => 2,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Durability {
    fn grade(self) -> u8 {
        match self {
            Self::Process => 0,
            Self::Power => 1,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for bool {
    fn grade(self) -> u8 {
        u8::from(self)
    }

    fn word(self) -> &'static str {
        if self { "true" } else { "false" }
    }
}
