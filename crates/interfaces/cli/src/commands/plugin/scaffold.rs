//! A new plugin, as files: the sample to begin with, and the library it stands on. Writes nothing itself.

use std::path::{Path, PathBuf};

mod sdk;

macro_rules! template {
    ($file:literal) => {
        include_str!(concat!("../../../../../standalone/plugin-sdk/template/", $file))
    };
}

/// The manifest of awf's own workspace, whose versions the library has.
const WORKSPACE: &str = include_str!("../../../../../../Cargo.toml");

/// What a plugin begins with, by its path within the folder of the plugin.
const TEMPLATE: [(&str, &str); 4] = [
    ("src/main.rs", template!("main.rs")),
    ("plugin.yaml", template!("plugin.yaml")),
    ("README.md", template!("README.md")),
    (".gitignore", template!("gitignore")),
];

/// Every file of a new plugin. `name` is one that a manifest may have: letters, digits, `_` and `-`.
pub(crate) fn scaffold(name: &str) -> Vec<(PathBuf, String)> {
    let fill = |text: &str| {
        text.replace("{{name}}", name).replace("{{awf_version}}", env!("CARGO_PKG_VERSION"))
    };
    let manifest = fill(template!("manifest.toml")) + &inherited();
    let own = TEMPLATE.iter().map(|(path, text)| (PathBuf::from(path), fill(text)));
    let library =
        sdk::FILES.iter().map(|(path, text)| (Path::new("sdk").join(path), (*text).to_owned()));
    own.chain([(PathBuf::from("Cargo.toml"), manifest)]).chain(library).collect()
}

/// What the library's manifest takes from its workspace: package fields, lints, and the versions it names.
fn inherited() -> String {
    let library = sdk::FILES.iter().find(|(path, _)| *path == "Cargo.toml");
    let library = library.map(|(_, text)| *text).unwrap_or_default();
    let mut table = "";
    let mut kept = String::new();
    for line in WORKSPACE.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            table = line;
        }
        let wanted = match table {
            "[workspace.dependencies]" => line == table || is_inherited(line, library),
            _ => table == "[workspace.package]" || table.starts_with("[workspace.lints"),
        };
        if wanted {
            kept += if line == table { "\n" } else { "" };
            kept += line;
            kept += "\n";
        }
    }
    kept
}

/// Whether the library takes the version on this line.
fn is_inherited(line: &str, library: &str) -> bool {
    let Some((name, _)) = line.split_once(" = ") else { return false };
    let mut lines = library.lines();
    lines.any(|line| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| {
            rest.starts_with(".workspace = true") || rest.starts_with(" = { workspace = true")
        })
    })
}

#[cfg(test)]
mod tests;
