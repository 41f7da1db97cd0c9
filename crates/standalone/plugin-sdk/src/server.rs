//! The process of a plugin: greets its host, listens on a socket of its own, and ends when it is told to.

use std::{
    convert::Infallible,
    io::{self, Write as _},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt as _, stream};
use tokio::{
    net::{UnixListener, UnixStream},
    runtime,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::sync::CancellationToken;
use tonic::{
    body::Body,
    codegen::http::{Request, Response},
    service::Routes,
};
use tower_service::Service;

use crate::{
    Plugin,
    certificate::Identity,
    environment::{Environment, Unwelcome},
    services::{self, Running},
    tls,
    wire::Handshake,
};
use socket::Socket;

mod socket;

/// How long a peer may take to prove who it is.
const GREETING: Duration = Duration::from_secs(10);
/// How long calls under way may take once the host has said that it is enough. A host waits two seconds before it kills.
const FAREWELL: Duration = Duration::from_secs(1);

/// What answers on the wire. Anything that fits is one; see [`Plugin::serve_as`].
pub trait Peer:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
}

impl<S> Peer for S
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send,
{
}

/// Why a plugin does not serve, or no longer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    #[error(transparent)]
    Unwelcome(#[from] Unwelcome),
    #[error("{what} `{name}` is declared twice\nhint: give one of them another name")]
    Twice { what: &'static str, name: String },
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    #[error("cannot prepare TLS: {0}")]
    Tls(#[from] rustls::Error),
    #[error(
        "cannot listen on a socket: {0}\n\
         hint: the folder must be writable, and its path short; `PLUGIN_UNIX_SOCKET_DIR` names another"
    )]
    Socket(io::Error),
    #[error("cannot print the handshake: {0}")]
    Announce(io::Error),
    #[error("cannot start: {0}")]
    Start(io::Error),
    #[error("cannot serve: {0}")]
    Serve(#[from] tonic::transport::Error),
}

/// Serves until the host says that it is enough.
pub(crate) fn serve<S: Peer>(
    plugin: Plugin,
    line: impl FnOnce(&Handshake) -> String,
    wrap: impl FnOnce(Routes) -> S,
) -> Result<(), ServeError> {
    let environment = Environment::read();
    let host = environment.welcome()?;
    plugin.check()?;
    let identity = Identity::fresh()?;
    let certificate = identity.certificate.to_vec();
    let acceptor = TlsAcceptor::from(Arc::new(tls::server_config(identity, host)?));
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(ServeError::Start)?;
    let served = runtime.block_on(async {
        let socket = Socket::bind(environment.socket_dir.as_deref()).map_err(ServeError::Socket)?;
        let stop = CancellationToken::new();
        // As go-plugin has it: Ctrl-C is for the host, which ends its plugins in order.
        let _interrupts = signal(SignalKind::interrupt()).map_err(ServeError::Start)?;
        let service = wrap(services::routes(Arc::new(Running::new(plugin, stop.clone()))));
        let handshake = Handshake { socket: socket.path().to_owned(), certificate };
        announce(&line(&handshake)).map_err(ServeError::Announce)?;
        answer(&socket, acceptor, service, stop).await
    });
    // A handler that never returns must not hold the process back.
    runtime.shutdown_background();
    served
}

fn announce(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Answers on every connection, until `stop` and a little longer.
async fn answer<S: Peer>(
    socket: &Socket,
    acceptor: TlsAcceptor,
    service: S,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let mut terminated = signal(SignalKind::terminate()).map_err(ServeError::Start)?;
    let (connections, mut proven) = mpsc::channel(1);
    let incoming =
        stream::poll_fn(move |context| proven.poll_recv(context)).map(Ok::<_, io::Error>);
    let serving = tonic::transport::Server::builder().serve_with_incoming_shutdown(
        service,
        incoming,
        stop.clone().cancelled_owned(),
    );
    tokio::select! {
        served = serving => served?,
        never = accept(socket.listener(), acceptor, connections) => match never {},
        _ = terminated.recv() => {}
        () = async { stop.cancelled().await; sleep(FAREWELL).await } => {}
    }
    Ok(())
}

/// Takes connections. Each proves itself beside the others, so that one that says nothing holds up nobody.
async fn accept(
    listener: &UnixListener,
    acceptor: TlsAcceptor,
    connections: mpsc::Sender<TlsStream<UnixStream>>,
) -> Infallible {
    let mut greetings = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    greetings.spawn(greet(acceptor.clone(), stream, connections.clone()));
                }
                // Out of descriptors: those who are connected are still served.
                Err(_) => sleep(Duration::from_millis(100)).await,
            },
            Some(_) = greetings.join_next() => {}
        }
    }
}

async fn greet(
    acceptor: TlsAcceptor,
    stream: UnixStream,
    connections: mpsc::Sender<TlsStream<UnixStream>>,
) {
    match timeout(GREETING, acceptor.accept(stream)).await {
        // Nobody takes it any more once the server ends.
        Ok(Ok(stream)) => drop(connections.send(stream).await),
        Ok(Err(error)) => complain(&error.to_string()),
        Err(_) => complain("it said nothing"),
    }
}

fn complain(why: &str) {
    // Nobody is left to be told when this fails.
    writeln!(io::stderr(), "a connection was refused: {why}").ok();
}
