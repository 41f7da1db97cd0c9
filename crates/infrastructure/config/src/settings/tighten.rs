//! Joining two configurations: the project may say less than the user allows, never more.

use std::path::{Component, PathBuf};

use awf_core::{
    Ceiling, Code, Diagnostic, IntentPolicy, Mode, OnBypass, Operation, Strictness, Unannotated,
    shown,
};

use crate::{
    policy::{ActivitySetting, Durability},
    settings::{KeyGrant, Settings, TelemetrySettings, grade::Graded, layer::Layer},
    yaml::Place,
};

/// Both together, or every setting of the project that loosens one of the user.
pub(super) fn join(user: Layer, project: Layer) -> Result<Settings, Vec<Diagnostic>> {
    let mut join = Join { user: &user.file, project: &project.file, conflicts: Vec::new() };
    let allow = join.stricter("tools.allow", user.allow, project.allow, Operation::Destructive);
    let intent = join.intent(&user, &project);
    let on_bypass =
        join.stricter("on_bypass", user.on_bypass, project.on_bypass, OnBypass::default());
    join.servers(project.servers.as_ref().map(|(_, place)| *place));
    let activity = join.activity(&user, &project);
    let exporter = join.exporter(user.exporter, project.exporter);
    let own: Vec<PathBuf> = user.roots.iter().map(|(root, _)| user.base.join(root)).collect();
    let keys = join.keys(user.keys, project.keys.map(|(_, place)| place));
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
        roots: own.iter().cloned().chain(added).collect(),
        user_roots: own,
        intent,
        servers: user.servers.map(|(servers, _)| servers).unwrap_or_default(),
        on_bypass,
        activity,
        keys,
    })
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

    /// Who may have which key is for the user to say, whose keys they are.
    fn keys(
        &mut self,
        user: Option<(Vec<KeyGrant>, Place)>,
        project: Option<Place>,
    ) -> Vec<KeyGrant> {
        if let Some(place) = project {
            let message = "`agents.keys` gives keys of the user away".to_owned();
            self.refuse(place, message, user.as_ref().map(|(_, place)| *place));
        }
        user.map(|(keys, _)| keys).unwrap_or_default()
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

    /// A server is a program: who clones a project does not start it unasked.
    fn servers(&mut self, place: Option<Place>) {
        if let Some(place) = place {
            let message = "`mcpServers` of a project are not supported by this version of awf";
            let hint =
                "a project may not name programs to start; say it in the user's configuration";
            let finding = Diagnostic::new(Code::ConfigUnsupported, message).hinting(hint);
            self.conflicts.push(finding.at(place.in_file(self.project)));
        }
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
