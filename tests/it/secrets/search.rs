//! The search itself: what is in a sink that may be in none.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::{
    openai::files,
    secrets::{CANARIES, Stage, canary, forms},
};

/// Everything awf keeps is a sink, but for the files of which the docs say what is in them.
pub(super) fn files_kept(stage: &mut Stage) {
    for file in files(&stage.world.home()) {
        let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        let name = file.display().to_string();
        // The key itself, and conversations with endpoints: docs/security.md says so of both.
        if name.ends_with("api-key") || name.contains("/agents/openai/") {
            assert_eq!(mode, 0o600, "{name}");
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        // The text of a workflow is kept in the first line of the journal of its run, as docs/runs.md says.
        if name.contains("/home/runs/") && file.extension().is_some_and(|end| end == "jsonl") {
            assert_eq!(mode, 0o600, "{name}");
            let (first, rest) = text.split_once('\n').unwrap();
            stage.sink(&format!("the beginning of {name}"), first.to_owned());
            stage.sink(&name, rest.to_owned());
        } else if !text.is_empty() {
            stage.sink(&name, text);
        }
    }
}

/// Whether the docs say that a secret of this way may be seen in this sink: docs/runs.md of the text of a workflow,
/// docs/security.md of what the user writes into a command line.
fn conceded(sink: &str, way: &str) -> bool {
    (sink.starts_with("the beginning of ") && way.starts_with("state env"))
        || (sink.starts_with("argv ") && way == "server args")
}

/// Every secret arrived, and none is in any sink.
pub(super) fn all(stage: &Stage) {
    let forms: Vec<(&str, Vec<String>)> =
        CANARIES.iter().map(|way| (*way, forms(&canary(way)))).collect();
    let arrived = |forms: &[String]| {
        stage.arrived.iter().any(|text| forms.iter().any(|form| text.contains(form)))
    };
    let lost: Vec<&str> =
        forms.iter().filter(|(_, forms)| !arrived(forms)).map(|(way, _)| *way).collect();
    assert!(lost.is_empty(), "these never arrived, so nothing is proven of them: {lost:?}");
    let mut found = Vec::new();
    for (name, text) in &stage.sinks {
        for (way, forms) in forms.iter().filter(|(way, _)| !conceded(name, way)) {
            let Some(at) = forms.iter().find_map(|form| text.find(form.as_str())) else { continue };
            let from = text.floor_char_boundary(at.saturating_sub(80));
            let to = text.ceil_char_boundary((at + 60).min(text.len()));
            found.push(format!("`{way}` is in {name}: …{}…", &text[from..to]));
        }
    }
    assert!(found.is_empty(), "{} places in {} sinks: {found:#?}", found.len(), stage.sinks.len());
    assert!(stage.sinks.len() > 400, "only {} sinks", stage.sinks.len());
}
