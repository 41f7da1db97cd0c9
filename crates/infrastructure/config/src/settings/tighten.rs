//! Joining two configurations: the project may say less than the user allows, never more.

use std::{
    collections::HashSet,
    path::{Component, PathBuf},
};

use awf_core::{Ceiling, Code, Diagnostic, OnBypass, Operation, Span, folded, shown};

use crate::{
    policy::{ActivitySetting, Durability},
    servers::{ServerList, ServerSetting, check_names},
    settings::{
        KeyGrant, Settings, TelemetrySettings,
        files::Side,
        grade::Graded,
        layer::{Layer, Said},
    },
};

/// Both together, or every setting of the project that loosens one of the user.
pub(super) fn join(user: Side, project: Side) -> Result<Settings, Vec<Diagnostic>> {
    let mut join = Join { conflicts: Vec::new() };
    let (intent, annotations_max_age) = join.intent(&user, &project);
    let (servers, shadowed) = join.servers(&user, &project);
    let (user, project) = (user.own, project.own);
    let allow = join.stricter(
        "tools.allow",
        user.allow.as_ref(),
        project.allow.as_ref(),
        Operation::Destructive,
    );
    let on_bypass = join.stricter(
        "on_bypass",
        user.on_bypass.as_ref(),
        project.on_bypass.as_ref(),
        OnBypass::default(),
    );
    let activity = join.activity(&user, &project);
    join.limits(&project);
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
        annotations_max_age,
        servers: servers.servers,
        unusable: servers.unusable,
        shadowed,
        on_bypass,
        activity,
        retention: user.retention,
        keys,
        warnings: Vec::new(),
    })
}

/// What is in the way of joining.
pub(super) struct Join {
    pub(super) conflicts: Vec<Diagnostic>,
}

impl Join {
    /// The project's value, unless it is looser than the user's or the default.
    pub(super) fn stricter<T: Graded>(
        &mut self,
        key: &str,
        user: Option<&(T, Span)>,
        project: Option<&(T, Span)>,
        default: T,
    ) -> T {
        let bound = user.map_or(default, |(value, _)| *value);
        let Some((value, place)) = project else { return bound };
        if value.grade() < bound.grade() {
            let (value, bound) = (value.word(), bound.word());
            let message = match user {
                Some(_) => format!("`{key}: {value}` is looser than the user's `{bound}`"),
                None => format!("`{key}: {value}` is looser than the default `{bound}`"),
            };
            self.refuse(place, message, user.map(|(_, place)| place));
        }
        *value
    }

    /// The servers of both sides: a name means one server on each, and the user's hides the project's.
    fn servers(&mut self, user: &Side, project: &Side) -> (ServerList, Vec<ServerSetting>) {
        let gathered = |side: &Side| {
            let lists = side.shared().map(|layer| layer.servers.clone());
            lists.fold(ServerList::default(), ServerList::and)
        };
        let (user, mut project) = (gathered(user), gathered(project));
        self.conflicts.extend(check_names(user.names()));
        self.conflicts.extend(check_names(project.names()));
        let taken: HashSet<String> = user.names().map(|(name, _)| folded(name)).collect();
        let shadowed =
            project.servers.extract_if(.., |server| taken.contains(&folded(&server.name)));
        let shadowed = shadowed.collect();
        (user.and(project), shadowed)
    }

    fn activity(&mut self, user: &Layer, project: &Layer) -> ActivitySetting {
        let enabled = self.stricter(
            "activity.enabled",
            user.enabled.as_ref(),
            project.enabled.as_ref(),
            true,
        );
        let durability = self.stricter(
            "activity.durability",
            user.durability.as_ref(),
            project.durability.as_ref(),
            Durability::default(),
        );
        ActivitySetting::of(enabled.then_some(durability))
    }

    /// The log is the user's: no project has its records removed.
    fn limits(&mut self, project: &Layer) {
        for (key, place) in &project.limits {
            self.refuse(place, format!("`{key}` removes records of the user"), None);
        }
    }

    /// Spans go to one place, and no project may lead them elsewhere.
    fn exporter(&mut self, user: Said<String>, project: Said<String>) -> Option<String> {
        if let (Some((one, at)), Some((other, place))) = (&user, &project)
            && one != other
        {
            let (one, other) = (shown(one), shown(other));
            let message = format!("`telemetry.exporter: {other}` is not the user's `{one}`");
            self.refuse(place, message, Some(at));
        }
        user.or(project).map(|(exporter, _)| exporter)
    }

    /// Who may have which key is for the user to say, whose keys they are.
    fn keys(&mut self, user: Said<Vec<KeyGrant>>, project: Option<Span>) -> Vec<KeyGrant> {
        if let Some(place) = project {
            let message = "`agents.keys` gives keys of the user away".to_owned();
            self.refuse(&place, message, user.as_ref().map(|(_, place)| place));
        }
        user.map(|(keys, _)| keys).unwrap_or_default()
    }

    /// The project's roots: within itself, or within what the user opened.
    fn roots(&mut self, roots: &[(PathBuf, Span)], own: &[PathBuf]) -> Vec<PathBuf> {
        for (root, place) in roots {
            let climbs = root.components().any(|part| part == Component::ParentDir);
            let within = root.is_relative() || own.iter().any(|own| root.starts_with(own));
            if climbs || !within {
                let name = shown(&root.display().to_string());
                let message = format!(
                    "`{name}` in `tools.roots` is neither in the project nor in a root of the user"
                );
                self.refuse(place, message, None);
            }
        }
        roots.iter().map(|(root, _)| root.clone()).collect()
    }

    fn refuse(&mut self, place: &Span, message: String, user: Option<&Span>) {
        let hint = match user {
            Some(user) => format!(
                "a project may only tighten: remove it here, or change line {} of `{}`",
                user.line, user.file
            ),
            None => {
                "a project may only tighten: remove it here, or say it in the user's configuration"
                    .to_owned()
            }
        };
        let finding = Diagnostic::new(Code::ConfigConflict, message).hinting(hint);
        self.conflicts.push(finding.at(place.clone()));
    }
}
