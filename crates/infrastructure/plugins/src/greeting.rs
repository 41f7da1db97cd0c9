//! The start of a plugin, from its program to its first answer.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use awf_plugin_sdk::wire::{
    BadHandshake, HEALTH_SERVICE, Handshake,
    health::{
        HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
    },
    host::{grpc_broker_client::GrpcBrokerClient, grpc_stdio_client::GrpcStdioClient, stdio_data},
    v1::{GetInfoRequest, InitRequest, plugin_service_client::PluginServiceClient},
};
use awf_process::{CommandSpec, Exit, Guard};
use futures_util::stream;
use tempfile::TempDir;
use tokio::{
    sync::oneshot,
    task::{JoinSet, spawn_blocking},
    time::{Instant, timeout},
};
use tonic::transport::Channel;

use crate::{
    PluginError, PluginInfo, PluginSpec,
    call::{Limit, request},
    certificate::{Identity, Pinned},
    channel::Connection,
    line::First,
    process::{End, Process},
    program::{fingerprint, locate, same},
    running::Running,
    said::{Ear, Said, Since},
    values,
};

/// How long the news of an end may take after the output has ended.
const NEWS: Duration = Duration::from_secs(1);
/// What go-plugin and its likes say to whoever starts a plugin by hand, and to a host of another cookie.
const BY_HAND: [&str; 2] = ["is a plugin", "not meant to be"];

/// What all plugins of a run are started with.
pub(crate) struct Ground {
    pub(crate) guard: Guard,
    /// Where each gets a directory of its own for its socket.
    pub(crate) sockets: PathBuf,
    /// How long a plugin may take until its handshake, and then until it is ready.
    pub(crate) start_limit: Duration,
}

/// Starts a plugin and greets it. What was started of one that fails is killed.
pub(crate) async fn start(spec: Arc<PluginSpec>, ground: &Ground) -> Result<Running, PluginError> {
    let (plugin, began) = (spec.name.clone(), Instant::now());
    let program = checked(&spec).await?;
    let prepare =
        |error: io::Error| PluginError::Prepare { plugin: plugin.clone(), source: Arc::new(error) };
    let identity = Identity::generate().map_err(|error| prepare(io::Error::other(error)))?;
    // Short: the path of a socket has 107 bytes at most.
    let folder = tempfile::Builder::new().prefix("p").rand_bytes(5).tempdir_in(&ground.sockets);
    let folder = folder.map_err(prepare)?;
    let (process, first) = launch(&spec, program, &identity, folder, &ground.guard).await?;
    let handshake = shake_hands(&plugin, &process, first, ground.start_limit).await?;
    let greeted = greet(spec, process, handshake, identity, ground.start_limit).await?;
    let ready_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(plugin, ready_ms, "plugin started");
    Ok(greeted)
}

/// The program of a plugin, if it is the one that was vouched for.
async fn checked(spec: &PluginSpec) -> Result<PathBuf, PluginError> {
    let plugin = spec.name.clone();
    let program = spec.command.first().cloned().unwrap_or_default();
    let Some(path) = locate(&program, &spec.env, &spec.cwd) else {
        return Err(PluginError::NotFound { plugin, program });
    };
    let Some(expected) = spec.checksum.clone() else { return Ok(path) };
    let file = path.clone();
    let hashed = spawn_blocking(move || fingerprint(&file)).await.map_err(io::Error::other);
    match hashed.and_then(|hashed| hashed) {
        Ok(actual) if same(&expected, &actual) => Ok(path),
        Ok(actual) => Err(PluginError::Altered { plugin, program: path, expected, actual }),
        Err(error) => {
            Err(PluginError::Unreadable { plugin, program: path, source: Arc::new(error) })
        }
    }
}

async fn launch(
    spec: &PluginSpec,
    program: PathBuf,
    identity: &Identity,
    folder: TempDir,
    guard: &Guard,
) -> Result<(Process, oneshot::Receiver<First>), PluginError> {
    let command = CommandSpec {
        program: program.into(),
        args: spec.command.iter().skip(1).cloned().collect(),
        env: spec.environment(identity.pem.clone(), folder.path().to_owned()),
        cwd: spec.cwd.clone(),
    };
    let started = Process::start(spec, command, folder, guard).await;
    started
        .map_err(|error| PluginError::Start { plugin: spec.name.clone(), source: Arc::new(error) })
}

/// Where it listens, as it says itself.
async fn shake_hands(
    plugin: &str,
    process: &Process,
    first: oneshot::Receiver<First>,
    limit: Duration,
) -> Result<Handshake, PluginError> {
    let plugin = plugin.to_owned();
    let line = match timeout(limit, process.first(first)).await {
        Ok(Ok(First::Line(line))) => line,
        // It closed its output. Most likely it is about to end, and that says more.
        Ok(Ok(First::Ended(line))) => match timeout(NEWS, process.ended()).await {
            Ok(end) => return Err(exited(plugin, end, process.said()).await),
            Err(_) => line,
        },
        Ok(Err(end)) => return Err(exited(plugin, end, process.said()).await),
        Err(_) => {
            let said = process.said().words(Since::default());
            return Err(PluginError::Silent { plugin, limit, said });
        }
    };
    let wrong = |source: BadHandshake| {
        let said = process.said().words(Since::default());
        PluginError::Handshake { plugin, source, said }
    };
    Handshake::parse(&line).map_err(wrong)
}

async fn exited(plugin: String, exit: End, said: &Said) -> PluginError {
    let said = said.last_words(Since::default()).await;
    let by_hand = BY_HAND.iter().any(|words| said.contains(words));
    // go-plugin ends so when the cookie is not its own.
    let wordless = exit == Some(Exit::Code(1)) && said.is_empty();
    if by_hand || wordless {
        PluginError::Cookie { plugin, exit, said }
    } else {
        PluginError::Exited { plugin, exit, said }
    }
}

/// Connects, and asks what every plugin is asked first.
async fn greet(
    spec: Arc<PluginSpec>,
    process: Process,
    handshake: Handshake,
    identity: Identity,
    limit: Duration,
) -> Result<Running, PluginError> {
    let (plugin, said) = (spec.name.clone(), process.said().clone());
    let greeted = timeout(limit, async {
        let socket = handshake.socket.clone();
        let connection = connect(&spec.name, handshake, identity, process.said()).await?;
        let streams = listen(&spec.name, &connection.channel, &said);
        let running = Running::new(spec, process, (connection, socket), streams);
        let limit = Limit::new(limit);
        check_health(&running, limit).await.map_err(PluginError::at_greeting)?;
        let info = introduce(&running, limit).await.map_err(PluginError::at_greeting)?;
        Ok(running.introduced(info))
    });
    match greeted.await {
        Ok(greeted) => greeted,
        Err(_) => Err(PluginError::Slow { plugin, limit, said: said.words(Since::default()) }),
    }
}

async fn connect(
    plugin: &str,
    handshake: Handshake,
    identity: Identity,
    said: &Said,
) -> Result<Connection, PluginError> {
    let plugin = plugin.to_owned();
    let Handshake { socket, certificate } = handshake;
    let pinned = Pinned::new(certificate);
    let connected = async { Connection::open(&socket, identity.config(&pinned)?).await };
    match connected.await {
        Ok(connection) => Ok(connection),
        Err(_) if pinned.differs() => Err(PluginError::Certificate { plugin }),
        Err(error) => {
            let (source, said) = (Arc::new(error), said.words(Since::default()));
            Err(PluginError::Connect { plugin, socket, source, said })
        }
    }
}

/// Hears what go-plugin tells a host unasked: what a plugin prints, and where further services are, of which none is
/// of use here. Neither answers before there is something to say; one that is old has not even these services.
fn listen(plugin: &str, channel: &Channel, said: &Arc<Said>) -> JoinSet<()> {
    let mut streams = JoinSet::new();
    let mut stdio = GrpcStdioClient::new(channel.clone());
    let (mut output, mut errors) = (Ear::new(plugin, said), Ear::keeping(plugin, said));
    streams.spawn(async move {
        let Ok(answer) = stdio.stream_stdio(()).await else { return };
        let mut pieces = answer.into_inner();
        while let Ok(Some(piece)) = pieces.message().await {
            match piece.channel() {
                stdio_data::Channel::Stderr => errors.hear(&piece.data),
                stdio_data::Channel::Stdout | stdio_data::Channel::Invalid => {
                    output.hear(&piece.data);
                }
            }
        }
    });
    let mut broker = GrpcBrokerClient::new(channel.clone());
    streams.spawn(async move {
        let Ok(answer) = broker.start_stream(stream::pending()).await else { return };
        let mut news = answer.into_inner();
        while let Ok(Some(_)) = news.message().await {}
    });
    streams
}

async fn check_health(running: &Running, limit: Limit) -> Result<(), PluginError> {
    let mut client = HealthClient::new(running.channel());
    let message = HealthCheckRequest { service: HEALTH_SERVICE.to_owned() };
    let asked = client.check(request(message, limit, None));
    let status = match running.ask("Check", limit, asked).await {
        Ok(Some(said)) => said.status(),
        // Nothing is said of its health.
        Ok(None) => return Ok(()),
        Err(PluginError::Refused { code, .. }) if code == "NotFound" => return Ok(()),
        Err(error) => return Err(error),
    };
    match status {
        ServingStatus::Serving => Ok(()),
        ServingStatus::NotServing | ServingStatus::Unknown | ServingStatus::ServiceUnknown => {
            Err(PluginError::NotHealthy {
                plugin: running.spec().name.clone(),
                status: status.as_str_name().to_owned(),
                said: running.said(),
            })
        }
    }
}

/// Asks what it is, and gives it its configuration.
async fn introduce(running: &Running, limit: Limit) -> Result<PluginInfo, PluginError> {
    let plugin = || running.spec().name.clone();
    let mut client = PluginServiceClient::new(running.channel());
    let asked = client.get_info(request(GetInfoRequest {}, limit, None));
    let info = running.ask("GetInfo", limit, asked).await?;
    let info = info.ok_or_else(|| PluginError::Refused {
        plugin: plugin(),
        call: "GetInfo".to_owned(),
        code: "Unimplemented".to_owned(),
        message: "it has no service `plugin.v1`".to_owned(),
    })?;
    let message = InitRequest { config: values::config(&running.spec().config) };
    let asked = client.init(request(message, limit, None));
    match running.ask("Init", limit, asked).await {
        Ok(_) => Ok(info.into()),
        Err(PluginError::Refused { message, .. }) => {
            Err(PluginError::Init { plugin: plugin(), message })
        }
        Err(error) => Err(error),
    }
}
