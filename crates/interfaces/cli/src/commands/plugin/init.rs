//! `awf plugin init`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use awf_core::{Code, shown};
use clap::Args;

use crate::{
    commands::plugin::scaffold::scaffold,
    report::{CommandError, Exit, say},
    wiring::plugins_of_awf,
};

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The directory to make
    dir: PathBuf,
    /// What the plugin is called; the name of the directory when absent
    #[arg(long)]
    name: Option<String>,
}

pub(super) fn run(args: &InitArgs) -> Result<Exit, CommandError> {
    let name = name(args)?;
    let empty = args.dir.read_dir().map_or(true, |mut entries| entries.next().is_none());
    if !empty {
        let message =
            format!("`{}` is there and not empty", shown(&args.dir.display().to_string()));
        return Err(CommandError::of(Code::InputInvalidFormat, message)
            .hinting("name a directory that is not there yet"));
    }
    for (path, text) in scaffold(&name) {
        write(&args.dir.join(path), &text)?;
    }
    let dir = args.dir.display();
    say(&format!("`{dir}` holds the plugin `{name}`; build it with `cargo build --release` there"));
    say("its README.md says how a project uses it");
    Ok(Exit::Ok)
}

fn name(args: &InitArgs) -> Result<String, CommandError> {
    let of_dir = || Some(args.dir.file_name()?.to_string_lossy().into_owned());
    let name = args.name.clone().or_else(of_dir).unwrap_or_default();
    let name = name.strip_prefix("awf-plugin-").unwrap_or(&name);
    let good = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if plugins_of_awf().iter().any(|plugin| plugin.name == name) || name == "builtin" {
        let message = format!("`{name}` is the name of something that is part of awf");
        return Err(
            CommandError::of(Code::NameCollision, message).hinting("give another: `--name`")
        );
    }
    if good {
        return Ok(name.to_owned());
    }
    let message = format!("`{}` cannot be the name of a plugin", shown(name));
    Err(CommandError::of(Code::InputInvalidFormat, message)
        .hinting("use lower-case letters, digits and hyphens: `--name my-plugin`"))
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, text)).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        CommandError::of(Code::IoWriteFailed, message)
    })
}
