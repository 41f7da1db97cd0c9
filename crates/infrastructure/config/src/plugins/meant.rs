//! What an entry of `.awf/plugins.yaml` means.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::{
    Annotations, Code, Diagnostic, Hint, Located, OperationInput, OperationSchema, PluginEntry,
    StepType, nearest, shown,
};
use serde_json::Value;

use crate::{
    period::Period,
    plugins::{
        RESERVED,
        typed::{HintsTyped, OperationFullTyped, OperationTyped, PluginTyped, StepTypeTyped},
    },
    reader::{Field, Findings, Mapping, Plain},
    yaml::Place,
};

/// Where a declaration stands.
pub(super) struct Declared {
    /// Its name.
    pub(super) place: Place,
    /// The values of its `config`.
    pub(super) settings: Vec<(String, Place)>,
    /// The operations of its `annotations`, where the declaration itself does not say which there are.
    pub(super) annotated: Vec<(String, Place)>,
}

/// The plugin, and where it is declared.
pub(super) fn entry(
    typed: PluginTyped,
    project: &Path,
    findings: &mut Findings<'_>,
) -> Option<(PluginEntry, Declared)> {
    let command = command(&typed, project, findings);
    let timeout = timeout(typed.timeout, findings);
    let Field::Given(place, name) = typed.name else { return None };
    let name = plugin_name(name, findings)?;
    let operations = operations(typed.operations);
    let annotated = annotated(&typed.annotations, operations.as_deref());
    let annotations = annotations(typed.annotations, operations.as_deref(), findings);
    let config = typed.config.given().map(|config| config.0).unwrap_or_default();
    let entry = PluginEntry {
        name,
        command,
        enabled: typed.enabled.given().unwrap_or(true),
        checksum: typed.checksum.given().and_then(|checksum| self::checksum(checksum, findings)),
        timeout,
        config: config.iter().map(|(key, _, value)| (key.clone(), value.json())).collect(),
        operations,
        step_types: step_types(typed.step_types),
        annotations,
        ..PluginEntry::default()
    };
    let settings = config.into_iter().map(|(key, _, value)| (key, value.place)).collect();
    Some((entry, Declared { place, settings, annotated }))
}

/// What a declaration leaves open is as the manifest says.
pub(super) fn complete(declared: &mut PluginEntry, found: PluginEntry) {
    declared.command = found.command;
    declared.origin = found.origin;
    declared.version = found.version;
    declared.description = found.description;
    declared.operations = declared.operations.take().or(found.operations);
    declared.step_types = declared.step_types.take().or(found.step_types);
    for (key, value) in found.config {
        declared.config.entry(key).or_insert(value);
    }
    for (operation, annotations) in found.annotations {
        if declared.annotations.iter().all(|(known, _)| *known != operation) {
            declared.annotations.push((operation, annotations));
        }
    }
}

/// A name that can be a source of tools.
pub(super) fn plugin_name(name: Located<String>, findings: &mut Findings<'_>) -> Option<String> {
    let first = name.value.starts_with(|c: char| c.is_ascii_alphabetic());
    let rest = name.value.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if !(first && rest) {
        let message = format!("`{}` cannot be the name of a plugin", shown(&name.value));
        let hint = "begin with a letter; use letters, digits, `_` and `-`";
        findings.add_at(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint), name.span);
        return None;
    }
    let reserved = RESERVED.iter().find(|(taken, _)| name.value.eq_ignore_ascii_case(taken));
    if let Some((_, owner)) = reserved {
        let message = format!("`{}` is the name of {owner}", name.value);
        findings.add_at(
            Diagnostic::new(Code::NameCollision, message).hinting("rename the plugin"),
            name.span,
        );
        return None;
    }
    Some(name.value)
}

fn timeout(field: Field<Period>, findings: &mut Findings<'_>) -> Option<Duration> {
    let period = field.given()?;
    let why = match period.duration {
        Ok(Duration::ZERO) => "of 0 leaves no time at all".to_owned(),
        Ok(duration) => return Some(duration),
        Err(why) => why,
    };
    let hint = "write whole seconds, or a duration such as `30s`";
    findings.hint(Code::ConfigInvalid, period.place, format!("the timeout {why}"), hint);
    None
}

fn command(typed: &PluginTyped, project: &Path, findings: &mut Findings<'_>) -> Vec<PathBuf> {
    if let (Some(_), Some(place)) = (typed.path.key(), typed.command.key()) {
        findings.say(Code::ConfigConflict, place, "a plugin has both `path` and `command`");
    }
    if let Field::Given(_, path) = &typed.path {
        return vec![project.join(path)];
    }
    let Field::Given(place, words) = &typed.command else { return Vec::new() };
    if words.is_empty() {
        findings.hint(
            Code::ConfigInvalid,
            *place,
            "`command` is empty",
            "name the program and its arguments",
        );
    }
    let mut words = words.iter().map(PathBuf::from);
    // A program with a directory lies in the project, one without is looked for by the system.
    let program = words.next().map(|program| {
        if program.components().count() > 1 { project.join(program) } else { program }
    });
    program.into_iter().chain(words).collect()
}

fn checksum(checksum: Located<String>, findings: &mut Findings<'_>) -> Option<String> {
    let digits = checksum.value.strip_prefix("sha256:");
    let good = digits
        .is_some_and(|digits| digits.len() == 64 && digits.chars().all(|c| c.is_ascii_hexdigit()));
    if good {
        return Some(checksum.value.to_ascii_lowercase());
    }
    let message = format!("`{}` is no checksum", shown(&checksum.value));
    let hint = "write `sha256:` and 64 hexadecimal digits";
    findings.add_at(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint), checksum.span);
    None
}

/// The operations; `None` is not known.
pub(super) fn operations(typed: Field<Vec<OperationTyped>>) -> Option<Vec<OperationSchema>> {
    let operations = typed.given()?.into_iter().filter_map(|typed| match typed {
        OperationTyped::Named(name) => Some(OperationSchema { name, ..OperationSchema::default() }),
        OperationTyped::Full(full) => operation(*full),
    });
    Some(operations.collect())
}

fn operation(typed: OperationFullTyped) -> Option<OperationSchema> {
    let inputs = typed.inputs.given().unwrap_or_default().into_iter().filter_map(|typed| {
        Some(OperationInput {
            name: typed.name.given()?,
            kind: typed.kind.given().unwrap_or_else(|| "string".to_owned()),
            required: typed.required.given().unwrap_or_default(),
            default: typed
                .default
                .given()
                .filter(|value| !value.is_null())
                .map(|value| value.json()),
            description: typed.description.given().unwrap_or_default(),
            validation: typed.validation.given(),
            choices: choices(typed.one_of),
        })
    });
    let outputs = typed.outputs.given().unwrap_or_default().into_iter().filter_map(|typed| {
        let described = typed.description.given().or(typed.kind.given()).unwrap_or_default();
        Some((typed.name.given()?, described))
    });
    Some(OperationSchema {
        name: typed.name.given()?,
        description: typed.description.given().unwrap_or_default(),
        inputs: inputs.collect(),
        outputs: outputs.collect(),
        annotations: Annotations::default(),
    })
}

fn choices(field: Field<Vec<Plain>>) -> Vec<Value> {
    let values = field.given().unwrap_or_default().into_iter();
    values.map(|value| value.scalar.map_or(Value::Null, |scalar| scalar.json())).collect()
}

/// The step types; `None` is not known.
pub(super) fn step_types(typed: Field<Vec<StepTypeTyped>>) -> Option<Vec<StepType>> {
    let step_types = typed.given()?.into_iter().filter_map(|typed| match typed {
        StepTypeTyped::Named(name) => Some(StepType { name, description: String::new() }),
        StepTypeTyped::Full(full) => Some(StepType {
            name: full.name.given()?,
            description: full.description.given().unwrap_or_default(),
        }),
    });
    Some(step_types.collect())
}

/// What is said of operations that only the manifest or the lock file can know.
fn annotated(
    typed: &Field<Mapping<HintsTyped>>,
    operations: Option<&[OperationSchema]>,
) -> Vec<(String, Place)> {
    match (typed, operations) {
        (Field::Given(_, hints), None) => {
            hints.0.iter().map(|(operation, place, _)| (operation.clone(), *place)).collect()
        }
        (Field::Given(..), Some(_)) | (Field::Absent | Field::Bad(_), _) => Vec::new(),
    }
}

/// What is wrong with saying something of an operation that is not among the known ones.
pub(super) fn stray(operation: &str, known: &[OperationSchema]) -> Option<Diagnostic> {
    if known.iter().any(|schema| schema.name == operation) {
        return None;
    }
    let message = format!("the plugin has no operation `{}`", shown(operation));
    let hint = match nearest(operation, known.iter().map(|schema| schema.name.as_str())).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => "add it to `operations`".to_owned(),
    };
    Some(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint))
}

/// What the operations do. One that is not among the known ones is told.
pub(super) fn annotations(
    typed: Field<Mapping<HintsTyped>>,
    operations: Option<&[OperationSchema]>,
    findings: &mut Findings<'_>,
) -> Vec<(String, Annotations)> {
    let mut annotations = Vec::new();
    for (operation, place, hints) in typed.given().map(|hints| hints.0).unwrap_or_default() {
        if let Some(finding) = operations.and_then(|known| stray(&operation, known)) {
            findings.add(finding, place);
        }
        annotations.push((operation, meant_hints(&hints)));
    }
    annotations
}

fn meant_hints(typed: &HintsTyped) -> Annotations {
    let hint = |field: &Field<bool>| match field {
        Field::Given(_, set) => Hint::Set(*set),
        Field::Absent | Field::Bad(_) => Hint::Absent,
    };
    Annotations {
        read_only: hint(&typed.read_only),
        destructive: hint(&typed.destructive),
        idempotent: hint(&typed.idempotent),
        open_world: hint(&typed.open_world),
    }
}
