//! Starting a server: process, greeting, first list.

use std::{sync::Arc, time::Duration};

use awf_core::shown;
use awf_mcp::{Client, ClientError, ClientOptions};
use awf_process::{Child, CommandSpec, SpawnError, output_pipe};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    complaints::Complaints,
    connection::{Connection, Life, Made, News},
    http::{self, HttpEndpoint, HttpError},
    lister::{Attempt, ListError, Lister},
    snapshot::Snapshots,
    spec::{Ground, Transport, UpstreamSpec},
};

/// Why a server has no tools for us.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("cannot start server `{}`: {source}{}", shown(name), cause(source))]
    Spawn { name: String, source: SpawnError },
    #[error("server `{}` did not list its tools within {} s{said}", shown(name), limit.as_secs_f64())]
    Silent { name: String, limit: Duration, said: String },
    #[error("server `{}`: {source}{said}", shown(name))]
    Broken { name: String, source: ListError, said: String },
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
}

/// Starts it, greets it, and asks which tools there are. `number` tells its lists from those of other connections.
pub(crate) async fn start(
    spec: &UpstreamSpec,
    ground: &Ground,
    snapshots: Arc<Snapshots>,
    number: u64,
) -> Result<Connection, StartError> {
    let Wire { reader, writer, complaints, child } = wire(spec, ground).await?;
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
            let said = last_words(&source, &complaints).await;
            return Err(StartError::Broken { name: spec.name.clone(), source, said });
        }
        Err(_) => {
            let said = complaints.said().await;
            return Err(StartError::Silent { name: spec.name.clone(), limit, said });
        }
    };
    let (tell, attempts) = watch::channel(Attempt::default());
    let lister = AbortOnDropHandle::new(tokio::spawn(lister.run(tell)));
    Ok(Connection::new(Made { client, child, life, complaints, news, attempts, lister }))
}

async fn wire(spec: &UpstreamSpec, ground: &Ground) -> Result<Wire, StartError> {
    match &spec.transport {
        Transport::Stdio { command, args, env, cwd } => {
            let failed = |source| StartError::Spawn { name: spec.name.clone(), source };
            let (program, args) = (command.clone(), args.clone());
            let command = CommandSpec { program, args, env: env.clone(), cwd: cwd.clone() };
            let (stderr, pipe) = output_pipe().map_err(|error| failed(SpawnError::Pipe(error)))?;
            let piped = ground.guard.spawn_piped(command, stderr).await.map_err(failed)?;
            Ok(Wire {
                reader: Box::new(piped.stdout),
                writer: Box::new(piped.stdin),
                complaints: Complaints::hear(pipe),
                child: Some(piped.child),
            })
        }
        Transport::Http { url, headers } => {
            let failed = |source| StartError::Address { name: spec.name.clone(), source };
            let (reader, writer) = http::connect(&HttpEndpoint { url, headers }).map_err(failed)?;
            Ok(Wire {
                reader: Box::new(reader),
                writer: Box::new(writer),
                complaints: Complaints::hear(tokio::io::empty()),
                child: None,
            })
        }
    }
}

/// What it complained of, where that may be why.
async fn last_words(source: &ListError, complaints: &Complaints) -> String {
    match source {
        ListError::Client(ClientError::Refused(_)) | ListError::Pins(_) | ListError::Lost => {
            String::new()
        }
        ListError::Client(_) => complaints.said().await,
    }
}
