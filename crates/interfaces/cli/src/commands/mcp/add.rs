//! `awf mcp add`: writes a server down, in the user's configuration or the project's.

use awf_config::{
    NewServer, ServerTransport, add_server, check_header, check_server_name, check_url,
    check_variable,
};
use awf_core::{Code, shown};
use clap::{ArgGroup, Args};

use crate::{
    commands::mcp::place::{Place, PlaceArgs, told},
    environment::Environment,
    report::{CommandError, Exit, say},
};

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("transport").args(["url", "command"]).required(true),
    override_usage = "awf mcp add [OPTIONS] <NAME> -- <COMMAND>...\n       awf mcp add [OPTIONS] <NAME> --url <URL>",
)]
pub(super) struct AddArgs {
    /// What to call it: letters, digits, `-`, `_` and `.`
    #[arg(value_parser = name)]
    name: String,
    /// The endpoint of a server behind streamable HTTP
    #[arg(long, value_parser = url)]
    url: Option<String>,
    /// What is sent with every request to `--url`; may be given more than once
    #[arg(long = "header", value_name = "NAME: VALUE", conflicts_with = "command", value_parser = header)]
    headers: Vec<(String, String)>,
    /// What the program finds in its environment; may be given more than once
    #[arg(long = "env", value_name = "NAME=VALUE", conflicts_with = "url", value_parser = variable)]
    env: Vec<(String, String)>,
    /// Where the program runs; the project's directory when absent
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    cwd: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
    /// The program and its arguments; `${NAME}` is filled in when it is started
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(args: &AddArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let place = Place::open(&args.place, environment)?;
    let name = &args.name;
    if let Some(at) = place.taken(name) {
        let message =
            format!("there is a server `{}` on line {} of `{}`", shown(name), at.line, at.file);
        let error = CommandError::of(Code::InputExists, message);
        return Err(
            error.hinting(&format!("take another name, or `awf mcp remove {}` first", shown(name)))
        );
    }
    let edit =
        add_server(&place.file, &NewServer { name: name.clone(), transport: transport(args) })?;
    say(&format!("`{name}` is on line {} of {} now", edit.line, told(&edit.file)));
    if place.settings.server(name).is_some() {
        say(&format!("it takes the place of the project's `{name}`"));
    }
    say(&place.next(name));
    Ok(Exit::Ok)
}

fn transport(args: &AddArgs) -> ServerTransport {
    match (&args.url, args.command.split_first()) {
        (Some(url), _) => ServerTransport::Http { url: url.clone(), headers: args.headers.clone() },
        (None, program) => ServerTransport::Stdio {
            command: program.map(|(command, _)| command.clone()).unwrap_or_default(),
            args: program.map(|(_, args)| args.to_vec()).unwrap_or_default(),
            env: args.env.clone(),
            cwd: args.cwd.clone(),
        },
    }
}

fn name(text: &str) -> Result<String, String> {
    check_server_name(text).map(|()| text.to_owned())
}

fn url(text: &str) -> Result<String, String> {
    check_url(text).map(|()| text.to_owned())
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as `NAME=VALUE`")?;
    check_variable(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("write it as `NAME: VALUE`")?;
    let (name, value) = (name.trim(), value.trim());
    check_header(name, value)?;
    Ok((name.to_owned(), value.to_owned()))
}
