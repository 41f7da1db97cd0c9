//! The one connection to a plugin: TLS over its socket, gRPC over that. It is never made again: a plugin whose
//! connection is gone is started anew.

use std::{
    future::{Ready, ready},
    io,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use awf_plugin_sdk::wire::SERVER_NAME;
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::UnixStream,
};
use tokio_rustls::{TlsConnector, client::TlsStream};
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::{
    codegen::http::Uri,
    transport::{Channel, Endpoint},
};
use tower_service::Service;

/// A connection under way.
pub(crate) struct Connection {
    /// What calls go through.
    pub(crate) channel: Channel,
    /// Fires when the connection is gone.
    pub(crate) lost: CancellationToken,
}

impl Connection {
    pub(crate) async fn open(socket: &Path, config: ClientConfig) -> io::Result<Self> {
        let stream = UnixStream::connect(socket).await?;
        let name = ServerName::try_from(SERVER_NAME).map_err(io::Error::other)?;
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        let lost = CancellationToken::new();
        let line = Line { stream, _lost: lost.clone().drop_guard() };
        // The name is for the headers; where it leads is settled.
        let endpoint = Endpoint::from_static("http://localhost");
        let connected = endpoint.connect_with_connector(Dialled(Some(line))).await;
        Ok(Self { channel: connected.map_err(io::Error::other)?, lost })
    }
}

/// Hands out the one connection there is.
struct Dialled(Option<Line>);

impl Service<Uri> for Dialled {
    type Response = TokioIo<Line>;
    type Error = io::Error;
    type Future = Ready<io::Result<TokioIo<Line>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let gone = || io::Error::new(io::ErrorKind::NotConnected, "the connection is gone");
        ready(self.0.take().map(TokioIo::new).ok_or_else(gone))
    }
}

/// The stream, which tells when it is dropped.
struct Line {
    stream: TlsStream<UnixStream>,
    _lost: DropGuard,
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
