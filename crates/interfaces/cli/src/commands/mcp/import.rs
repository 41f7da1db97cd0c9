//! `awf mcp import`: servers out of the configuration of another program, first to be looked at, then written down.

use std::path::{Path, PathBuf};

use awf_config::{
    Importable, ImportedServer, NewServer, add_server, read_import, read_text, secrets_of_file,
};
use awf_core::{Code, nearest, shown};
use clap::Args;

use crate::{
    commands::mcp::{
        place::{Place, PlaceArgs, told},
        sheet,
    },
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    secrets,
    table::Table,
    variables::is_written_out,
    wiring::learn_transports,
};

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The file, a directory with a `.mcp.json`, or a program: `claude` (`~/.claude.json`), `claude-desktop`, `codex`
    /// (`~/.codex/config.toml`), `gemini` (`~/.gemini/settings.json`), `cursor` (`~/.cursor/mcp.json`) or `opencode`
    #[arg(value_name = "FILE")]
    from: PathBuf,
    /// Only this server; may be given more than once
    #[arg(long = "server", value_name = "NAME")]
    servers: Vec<String>,
    /// Write them down; without it, only what would be written is shown
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(args: &ImportArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let place = Place::open(&args.place, environment)?;
    let file = source(&args.from, environment)?;
    let mut imported = read_import(&file)?;
    choose(&mut imported, &args.servers, &file)?;
    learn(&imported, &file, environment);
    let verdicts: Vec<Verdict<'_>> =
        imported.iter().map(|server| Verdict::of(server, &place, environment)).collect();
    Output::stdout().line(&table(&imported, &verdicts))?;
    for server in &imported {
        for warning in &server.warnings {
            say(&format!("`{}`: {}", shown(&server.name), warning.message));
        }
    }
    let new = verdicts.iter().filter_map(|verdict| match verdict {
        Verdict::Add(server) => Some(*server),
        Verdict::Skip(_) => None,
    });
    let new: Vec<&NewServer> = new.collect();
    if new.is_empty() {
        say("nothing is left to import");
    } else if args.write {
        write(&new, &place)?;
    } else {
        say(&format!("nothing was written: `--write` adds them to {}", told(&place.file)));
    }
    Ok(Exit::Ok)
}

/// Enters what the file holds secret, before anything of it is shown.
fn learn(imported: &[ImportedServer], file: &Path, environment: &Environment) {
    let text = read_text(file).unwrap_or_default();
    secrets::learn(secrets_of_file(&text));
    let ready = imported.iter().filter_map(|server| match &server.outcome {
        Importable::Ready(new) => Some(&new.transport),
        Importable::Off | Importable::Itself | Importable::Unusable(_) => None,
    });
    learn_transports(ready, environment);
}

fn write(servers: &[&NewServer], place: &Place) -> Result<(), CommandError> {
    for server in servers {
        let edit = add_server(&place.file, server)?;
        say(&format!("`{}` is on line {} of {} now", server.name, edit.line, told(&edit.file)));
    }
    let secrets: Vec<String> = servers.iter().flat_map(|server| written_out(server)).collect();
    if !secrets.is_empty() {
        let (secrets, file) = (secrets.join(", "), told(&place.file));
        say(&format!(
            "written out as they were there: {secrets}; `${{NAME}}` in their place keeps them out of {file}"
        ));
    }
    if let [server, ..] = servers {
        say(&place.next(&server.name));
    }
    Ok(())
}

/// What names itself a secret and is no variable.
fn written_out(server: &NewServer) -> impl Iterator<Item = String> {
    let given = sheet::pairs(&server.transport).iter();
    let secret = given.filter(|(name, value)| is_written_out(name, value));
    secret.map(|(name, _)| format!("`{}` of `{}`", shown(name), shown(&server.name)))
}

/// What is to be done with a server.
enum Verdict<'s> {
    Add(&'s NewServer),
    Skip(String),
}

impl<'s> Verdict<'s> {
    fn of(server: &'s ImportedServer, place: &Place, environment: &Environment) -> Self {
        if let Some(dir) = &server.within
            && Path::new(dir) != environment.current_dir
        {
            return Self::Skip(format!("it is for {}", shown(dir)));
        }
        match &server.outcome {
            Importable::Off => Self::Skip("it is switched off there".to_owned()),
            Importable::Itself => Self::Skip("it is awf itself".to_owned()),
            Importable::Unusable(found) => {
                let why: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
                Self::Skip(secrets::told(&why.join("; ")))
            }
            Importable::Ready(new) => match place.taken(&new.name) {
                Some(at) => Self::Skip(format!("it is on line {} of {} already", at.line, at.file)),
                None => Self::Add(new),
            },
        }
    }
}

fn table(imported: &[ImportedServer], verdicts: &[Verdict<'_>]) -> String {
    let mut table = Table::new(["NAME", "WHAT", "DETAIL"]);
    for (server, verdict) in imported.iter().zip(verdicts) {
        let (what, detail) = match verdict {
            Verdict::Add(new) => {
                let given = sheet::given(&new.transport);
                let with = if given.is_empty() { "" } else { "  with " };
                ("add", format!("{}{with}{}", sheet::target(&new.transport), given.join(" ")))
            }
            Verdict::Skip(why) => ("skip", why.clone()),
        };
        table.row([server.name.clone(), what.to_owned(), detail]);
    }
    table.to_string()
}

/// Those that were asked for.
fn choose(
    imported: &mut Vec<ImportedServer>,
    names: &[String],
    file: &Path,
) -> Result<(), CommandError> {
    let mut unknown = names.iter().filter(|name| imported.iter().all(|one| one.name != **name));
    if let Some(name) = unknown.next() {
        let message = format!("no server `{}` in `{}`", shown(name), told(file));
        let error = CommandError::of(Code::ServerUnknown, message);
        let known = imported.iter().map(|server| server.name.as_str());
        return Err(match nearest(name, known).first() {
            Some(near) => error.hinting(&format!("did you mean `{}`?", shown(near))),
            None => error.hinting("leave `--server` out to see them all"),
        });
    }
    imported.retain(|server| names.is_empty() || names.contains(&server.name));
    Ok(())
}

/// Where programs keep their configuration, beneath the home directory.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("claude", &[".claude.json"]),
    (
        "claude-desktop",
        &[
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
        ],
    ),
    ("codex", &[".codex/config.toml"]),
    ("gemini", &[".gemini/settings.json"]),
    ("cursor", &[".cursor/mcp.json"]),
    ("opencode", &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"]),
];

/// The file that is meant.
fn source(from: &Path, environment: &Environment) -> Result<PathBuf, CommandError> {
    let Some((program, places)) = PROGRAMS.iter().find(|(name, _)| from == Path::new(name)) else {
        let path = environment.current_dir.join(from);
        return Ok(if path.is_dir() { path.join(".mcp.json") } else { path });
    };
    let home = environment.home();
    let found = home
        .and_then(|home| places.iter().map(|place| home.join(place)).find(|path| path.is_file()));
    found.ok_or_else(|| {
        let message =
            format!("no configuration of `{program}`: looked for ~/{}", places.join(", ~/"));
        CommandError::of(Code::InputMissingFile, message).hinting("name the file itself")
    })
}
