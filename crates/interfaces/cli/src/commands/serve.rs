//! `awf serve`: one endpoint for many clients. MCP at `/mcp`, the REST API and a page beside it; a key opens them all.

use std::{
    collections::HashMap,
    io::{self, IsTerminal as _},
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use async_trait::async_trait;
use awf_core::{Code, IntentPolicy, Naming, shown};
use awf_tools::IntentSurface;
use awf_web::{ApiKey, Gate, NoView, View, Views, WebLimits, WebPorts, WebSettings};
use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::ToolsetArgs,
    commands::{open, serve::machine::Machine},
    environment::Environment,
    output::Output,
    report::{CommandError, Exit, say},
    runs::run_store,
    secrets,
    signals::cancel_on_signal,
    telemetry::Telemetry,
    wiring::{Shelf, Toolset},
};

pub(crate) mod machine;

/// Views that are kept; a client beyond that has its own made for it.
const KEPT_VIEWS: usize = 64;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// A further name this server may be asked under, beside the loopback ones; may be given more than once
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Listen on an address that other machines can reach; the key then crosses the network in the clear, unless
    /// something in front of awf encrypts
    #[arg(long)]
    allow_remote: bool,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

pub(crate) async fn run(
    args: &ServeArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    check_reach(args)?;
    let begun = SystemTime::now();
    let file = key_file(environment)?;
    let key = ApiKey::load_or_create(&file)
        .map_err(|error| CommandError::of(Code::IoReadFailed, error.to_string()))?;
    secrets::learn([key.reveal()]);
    let failed = |error: io::Error| {
        let message = format!("cannot listen on `{}`: {error}", args.listen);
        CommandError::of(Code::ListenFailed, message)
    };
    let listener = TcpListener::bind(args.listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let toolset = Toolset::from_args(&args.toolset, environment, telemetry).await?;
    let ports = WebPorts {
        views: Arc::new(ShelfViews::new(&toolset)),
        log: toolset.shelf.log(),
        runs: Arc::new(run_store(environment)?),
        trace: environment.trace_context(),
        clinic: Arc::new(Machine::new(Some(toolset.shelf.clone()), environment)?),
        clock: SystemTime::now,
        redact: secrets::told,
    };
    Output::stdout().line(&format!("listening on http://{address}"))?;
    say(&format!("MCP at http://{address}/mcp; the key is in {}", file.display()));
    say(&invitation(&key, address)?);
    let stop = CancellationToken::new();
    let signals = tokio::spawn(cancel_on_signal(stop.clone()));
    let settings =
        WebSettings { key, hosts: args.hosts.clone(), begun, limits: WebLimits::default() };
    let served = awf_web::serve(listener, settings, ports, stop).await;
    signals.abort();
    toolset.close().await;
    served.map_err(failed)?;
    Ok(Exit::Ok)
}

/// Where the key is kept.
pub(crate) fn key_file(environment: &Environment) -> Result<PathBuf, CommandError> {
    Ok(environment.awf_home()?.join("api-key"))
}

/// How to see the page. A code is shown to a person only: what goes to a file may be read by others.
fn invitation(key: &ApiKey, address: SocketAddr) -> Result<String, CommandError> {
    let command = match address.port() {
        8080 => "awf open".to_owned(),
        _ => format!("awf open --listen {address}"),
    };
    if !io::stderr().is_terminal() {
        return Ok(format!("the page opens with `{command}`"));
    }
    let link = open::link(key, address, "/")?;
    Ok(format!("the page, once and within five minutes: {link}\nlater: `{command}`"))
}

/// `localhost` is the one name that needs nobody to look it up.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let named = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = named.as_deref().unwrap_or(text).parse();
    address.map_err(|_| "write an address and a port, such as `127.0.0.1:8080`".to_owned())
}

/// Whoever opens a door to other machines says so.
fn check_reach(args: &ServeArgs) -> Result<(), CommandError> {
    if args.listen.ip().is_loopback() || args.allow_remote {
        return Ok(());
    }
    let message = format!("`{}` can be reached from other machines", args.listen);
    let hint = "listen on 127.0.0.1, or say `--allow-remote` as well";
    Err(CommandError::of(Code::InputInvalidFormat, message).hinting(hint))
}

/// What each client is shown of one shelf.
struct ShelfViews {
    shelf: Arc<Shelf>,
    policy: IntentPolicy,
    made: Mutex<HashMap<View, Arc<IntentSurface>>>,
}

impl ShelfViews {
    fn new(toolset: &Toolset) -> Self {
        Self { shelf: toolset.shelf.clone(), policy: toolset.policy, made: Mutex::default() }
    }

    fn check_known(&self, view: &View) -> Result<(), NoView> {
        let asked = view.servers.iter().flatten();
        for server in asked {
            if !self.shelf.names().any(|name| name == server) {
                let known: Vec<&str> = self.shelf.names().collect();
                let hint = format!("there are {}", known.join(", "));
                return Err(NoView::UnknownServer { name: shown(server), hint });
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Views for ShelfViews {
    async fn view(&self, wanted: &View) -> Result<Arc<dyn Gate>, NoView> {
        let made = |views: &Self| {
            views.made.lock().unwrap_or_else(PoisonError::into_inner).get(wanted).cloned()
        };
        if let Some(surface) = made(self) {
            return Ok(surface);
        }
        self.check_known(wanted)?;
        let router = self.shelf.router(wanted, Naming::ByAddress).await;
        let router = router.map_err(|error| {
            let told = error.into_findings().into_iter().map(|finding| finding.message);
            NoView::Unavailable(told.collect::<Vec<_>>().join("; "))
        })?;
        let surface = Arc::new(IntentSurface::new(Arc::new(router), self.policy));
        let mut kept = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT_VIEWS {
            kept.insert(wanted.clone(), surface.clone());
        }
        Ok(surface)
    }
}
