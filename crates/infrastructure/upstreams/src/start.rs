//! Starting a server: process, greeting, first list.

use std::{sync::Arc, time::Duration};

use awf_core::shown;
use awf_mcp::{Client, ClientError, ClientOptions};
use awf_process::{Child, CommandSpec, Exit, SpawnError, output_pipe};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    complaints::Complaints,
    connection::{Connection, Life, Made, News},
    http::{self, HttpEndpoint, HttpError, Trouble},
    lister::{Attempt, ListError, Lister},
    opening::{Opening, overhear},
    snapshot::Snapshots,
    spec::{Ground, Transport, UpstreamSpec},
};

/// How long a server that has hung up may take to end.
const GOING: Duration = Duration::from_millis(300);

/// Why a server has no tools for us.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("cannot start server `{}`: {source}{}", shown(name), cause(source))]
    Spawn { name: String, source: SpawnError },
    #[error("server `{}` did not list its tools within {} s{said}", shown(name), limit.as_secs_f64())]
    Silent { name: String, limit: Duration, said: String },
    #[error("server `{}`: {source}{said}", shown(name))]
    Broken { name: String, source: ListError, said: String },
    #[error("server `{}` ended{how} before it listed its tools{said}", shown(name))]
    Ended { name: String, how: String, said: String },
    #[error("server `{}`: {reason}", shown(name))]
    Unreached { name: String, reason: String },
    #[error("cannot reach server `{}`: {source}", shown(name))]
    Address { name: String, source: HttpError },
}

/// What the system said.
fn cause(error: &SpawnError) -> String {
    std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default()
}

/// The way to a server.
struct Wire {
    reader: Box<dyn AsyncRead + Send + Unpin>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    complaints: Complaints,
    child: Option<Child>,
    opening: Opening,
    trouble: Trouble,
}

/// Starts it, greets it, and asks which tools there are. `number` tells its lists from those of other connections.
pub(crate) async fn start(
    spec: &UpstreamSpec,
    ground: &Ground,
    snapshots: Arc<Snapshots>,
    number: u64,
) -> Result<Connection, StartError> {
    let Wire { reader, writer, complaints, mut child, opening, trouble } =
        wire(spec, ground).await?;
    let (news, life): (Arc<News>, Arc<Life>) = Default::default();
    let limit = ground.limits.ready;
    let options = ClientOptions {
        notifications: news.ear(),
        ..ClientOptions::new("awf", env!("CARGO_PKG_VERSION"))
    };
    let asked = timeout(limit, async {
        let client = Arc::new(Client::connect(reader, writer, options).await?);
        let (life, news) = (life.clone(), news.clone());
        let weak = Arc::downgrade(&client);
        let lister = Lister { client: weak, connection: number, life, news, snapshots, limit };
        lister.list(&client).await?;
        Ok((client, lister))
    });
    // A child that is dropped here is killed.
    let (client, lister) = match asked.await {
        Ok(Ok(ready)) => ready,
        Ok(Err(source)) => {
            let traces = Traces { complaints, opening, trouble };
            return Err(traces.failure(&spec.name, source, child.as_mut()).await);
        }
        Err(_) => {
            let said = opening.wrote().await + &complaints.said().await;
            return Err(StartError::Silent { name: spec.name.clone(), limit, said });
        }
    };
    let (tell, attempts) = watch::channel(Attempt::default());
    let lister = AbortOnDropHandle::new(tokio::spawn(lister.run(tell)));
    let call = ground.limits.call;
    Ok(Connection::new(Made { client, child, life, complaints, news, attempts, lister, call }))
}

async fn wire(spec: &UpstreamSpec, ground: &Ground) -> Result<Wire, StartError> {
    match &spec.transport {
        Transport::Stdio { command, args, env, cwd } => {
            let failed = |source| StartError::Spawn { name: spec.name.clone(), source };
            let (program, args) = (command.clone(), args.clone());
            let command = CommandSpec { program, args, env: env.clone(), cwd: cwd.clone() };
            let (stderr, pipe) = output_pipe().map_err(|error| failed(SpawnError::Pipe(error)))?;
            let piped = ground.guard.spawn_piped(command, stderr).await.map_err(failed)?;
            let (reader, opening) = overhear(Box::new(piped.stdout), ground.redactor.clone());
            Ok(Wire {
                reader: Box::new(reader),
                writer: Box::new(piped.stdin),
                complaints: Complaints::hear(pipe, ground.redactor.clone()),
                child: Some(piped.child),
                opening,
                trouble: Trouble::default(),
            })
        }
        Transport::Http { url, headers } => {
            let failed = |source| StartError::Address { name: spec.name.clone(), source };
            let endpoint = HttpEndpoint { url, headers, redactor: &ground.redactor };
            let trouble = Trouble::default();
            let (reader, writer) = http::connect(&endpoint, &trouble).map_err(failed)?;
            Ok(Wire {
                reader: Box::new(reader),
                writer: Box::new(writer),
                complaints: Complaints::hear(tokio::io::empty(), ground.redactor.clone()),
                child: None,
                opening: overhear(Box::new(tokio::io::empty()), ground.redactor.clone()).1,
                trouble,
            })
        }
    }
}

/// What a server that failed has left behind.
struct Traces {
    complaints: Complaints,
    opening: Opening,
    trouble: Trouble,
}

impl Traces {
    /// Why there is no list, as far as it can be told.
    async fn failure(self, name: &str, source: ListError, child: Option<&mut Child>) -> StartError {
        let name = name.to_owned();
        match source {
            ListError::Client(ClientError::Closed) => {
                let how = ended(child).await;
                StartError::Ended { name, how, said: self.said().await }
            }
            source @ ListError::Client(ClientError::Refused(_)) => match self.trouble.told() {
                Some(reason) => StartError::Unreached { name, reason },
                None => StartError::Broken { name, source, said: String::new() },
            },
            source @ ListError::Client(_) => {
                StartError::Broken { name, source, said: self.said().await }
            }
            source @ (ListError::Pins(_) | ListError::Lost) => {
                StartError::Broken { name, source, said: String::new() }
            }
        }
    }

    /// What it wrote and what it complained of.
    async fn said(self) -> String {
        self.opening.wrote().await + &self.complaints.said().await
    }
}

/// How a server came to its end, to be put behind that it did; nothing where that is not known.
async fn ended(child: Option<&mut Child>) -> String {
    let Some(child) = child else { return String::new() };
    match timeout(GOING, child.wait()).await {
        Ok(Ok(Exit::Code(code))) => format!(" with status {code}"),
        Ok(Ok(Exit::Signal(signal))) => format!(" by signal {signal}"),
        Ok(Err(_)) | Err(_) => String::new(),
    }
}
