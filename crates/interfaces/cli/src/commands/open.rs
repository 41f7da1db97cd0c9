//! `awf open`: the page of a running `awf serve`, in a browser, logged in. The code for the login is made here from the key,
//! so nobody has to be asked for it.

use std::{
    convert::Infallible,
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    os::unix::{ffi::OsStrExt as _, fs::OpenOptionsExt as _},
    path::Path,
    time::{Duration, SystemTime},
};

use awf_core::Code;
use awf_process::{CommandSpec, replace};
use awf_web::{ApiKey, login_code, percent_encoded};
use clap::Args;
use tokio::{net::TcpStream, time::timeout};

use crate::{
    commands::serve::{address, key_file},
    environment::Environment,
    output::Output,
    report::{CommandError, Exit},
};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// Where `awf serve` listens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// Print the link instead of opening it; it works once, within five minutes
    #[arg(long)]
    print: bool,
}

pub(crate) async fn run(args: &OpenArgs, environment: &Environment) -> Result<Exit, CommandError> {
    let link = link_to(args.listen, "/", environment).await?;
    if args.print {
        Output::stdout().line(&format!("{link}\n"))?;
        return Ok(Exit::Ok);
    }
    match browse(&link, environment)? {}
}

/// A link to `path` of the server at `address`, if there is one.
pub(crate) async fn link_to(
    address: SocketAddr,
    path: &str,
    environment: &Environment,
) -> Result<String, CommandError> {
    let key = ApiKey::load(&key_file(environment)?)
        .map_err(|error| CommandError::of(Code::ServeUnreachable, error.to_string()))?;
    let address = reachable(address);
    let connected = timeout(PATIENCE, TcpStream::connect(address)).await;
    let connected = connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    connected.map_err(|error| {
        let message = format!("nothing answers at `{address}`: {error}");
        CommandError::of(Code::ServeUnreachable, message)
    })?;
    link(&key, address, path)
}

/// A link that logs in once and leads to `path`. The code stands behind the `#`: browsers keep that to themselves.
pub(crate) fn link(key: &ApiKey, address: SocketAddr, path: &str) -> Result<String, CommandError> {
    let code = login_code(key, address.port(), SystemTime::now()).map_err(|error| {
        CommandError::of(Code::IoReadFailed, format!("no random numbers: {error}"))
    })?;
    let next = if path == "/" {
        String::new()
    } else {
        format!("?next={}", percent_encoded(path.as_bytes()))
    };
    Ok(format!("http://{}/login{next}#{code}", reachable(address)))
}

/// A server that listens everywhere is reached here.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        other => other,
    };
    SocketAddr::new(ip, address.port())
}

/// Becomes the program that opens pages.
fn browse(link: &str, environment: &Environment) -> Result<Infallible, CommandError> {
    let error = replace(opener(link, environment)?);
    Err(no_browser(&error))
}

/// What opens a page. It is given a file that leads on: what stands on a command line, other users of the machine can read.
pub(crate) fn opener(link: &str, environment: &Environment) -> Result<CommandSpec, CommandError> {
    let file = environment.awf_home()?.join("open.html");
    leading_to(link, &file).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", file.display());
        CommandError::of(Code::IoWriteFailed, message)
    })?;
    Ok(CommandSpec {
        program: environment.var("BROWSER").unwrap_or("xdg-open").to_owned().into(),
        args: vec![format!("file://{}", percent_encoded(file.as_os_str().as_bytes())).into()],
        env: environment.for_shell(),
        cwd: environment.current_dir.clone(),
    })
}

pub(crate) fn no_browser(error: &dyn std::error::Error) -> CommandError {
    let hint = "set BROWSER to a program that opens pages, or see the link with `awf open --print`";
    CommandError::of(Code::IoReadFailed, format!("no browser was opened: {error}")).hinting(hint)
}

fn leading_to(link: &str, file: &Path) -> io::Result<()> {
    // Anew, so that nobody who had it open reads on.
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let page =
        format!("<!doctype html>\n<meta http-equiv=\"refresh\" content=\"0; url={link}\">\n");
    let mut new = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    io::Write::write_all(&mut new, page.as_bytes())
}
