//! A host: starts a plugin, reads its line, and speaks to it over TLS with both certificates pinned.

use std::{
    io::{self, BufRead as _, BufReader},
    path::PathBuf,
    pin::Pin,
    process::{Child, ChildStdout, Command, Stdio},
    sync::Arc,
    task::{Context, Poll},
};

use awf_plugin_sdk::wire::{
    self, Handshake,
    host::{Empty, grpc_controller_client::GrpcControllerClient},
    v1::{ExecuteRequest, ExecuteResponse, operation_service_client::OperationServiceClient},
};
use hyper_util::rt::TokioIo;
use rustls::{
    ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime},
};
use tempfile::TempDir;
use tokio::net::UnixStream;
use tokio_rustls::{TlsConnector, client::TlsStream};
use tonic::{
    Status,
    codegen::http::Uri,
    transport::{Channel, Endpoint},
};
use tower_service::Service;

pub(crate) const EXAMPLE: &str = env!("CARGO_BIN_EXE_awf-plugin-example");
pub(crate) const HOSTILE: &str = env!("CARGO_BIN_EXE_awf-plugin-hostile");

/// Who the host is.
pub(crate) struct Credentials {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    pem: String,
}

impl Credentials {
    pub(crate) fn fresh() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let certificate = made.cert.der().clone();
        Self { certificate, key: made.signing_key.into(), pem: made.cert.pem() }
    }
}

/// A plugin that was started, and what it is known by.
pub(crate) struct Started {
    pub(crate) child: Child,
    pub(crate) line: String,
    pub(crate) credentials: Credentials,
    /// Where its socket is.
    pub(crate) folder: TempDir,
    /// Held, so that it may print.
    _stdout: BufReader<ChildStdout>,
}

#[expect(clippy::disallowed_methods, reason = "this test is the host")]
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().stdin(Stdio::null());
    command
}

pub(crate) fn signal(name: &str, process: &str) {
    let kill = "kill -s \"$0\" \"$1\"";
    assert!(command("/bin/sh", &["-c", kill, name, process]).status().unwrap().success());
}

impl Started {
    pub(crate) fn new(program: &str, arguments: &[&str]) -> Self {
        let credentials = Credentials::fresh();
        let folder = tempfile::tempdir().unwrap();
        let mut child = command(program, arguments)
            .env(wire::COOKIE.0, wire::COOKIE.1)
            .env(wire::PROTOCOL_VERSIONS, "1")
            .env(wire::CLIENT_CERT, &credentials.pem)
            .env(wire::UNIX_SOCKET_DIR, folder.path())
            .env("PATH", "/usr/bin:/bin")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        Self { child, line, credentials, folder, _stdout: stdout }
    }

    pub(crate) async fn connect(program: &str, arguments: &[&str]) -> Host {
        let started = Self::new(program, arguments);
        let handshake = Handshake::parse(&started.line).unwrap();
        let channel = channel(&handshake, &started.credentials).await.unwrap();
        Host { started, handshake, channel }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A plugin that is spoken to.
pub(crate) struct Host {
    pub(crate) started: Started,
    pub(crate) handshake: Handshake,
    pub(crate) channel: Channel,
}

impl Host {
    pub(crate) async fn execute(
        &self,
        operation: &str,
        inputs: &[(&str, &str)],
    ) -> Result<ExecuteResponse, Status> {
        let inputs =
            inputs.iter().map(|(name, json)| ((*name).to_owned(), json.as_bytes().to_vec()));
        let request = ExecuteRequest { operation: operation.to_owned(), inputs: inputs.collect() };
        let mut client =
            OperationServiceClient::new(self.channel.clone()).max_decoding_message_size(usize::MAX);
        Ok(client.execute(request).await?.into_inner())
    }

    /// As go-plugin does it. The plugin must end well; what it leaves is still there.
    pub(crate) async fn shut_down(self) -> Started {
        let mut controller = GrpcControllerClient::new(self.channel.clone());
        controller.shutdown(Empty {}).await.unwrap();
        let mut started = self.started;
        // Elsewhere, for the connection takes its leave meanwhile.
        tokio::task::spawn_blocking(move || {
            assert!(started.child.wait().unwrap().success());
            started
        })
        .await
        .unwrap()
    }
}

pub(crate) async fn channel(
    handshake: &Handshake,
    credentials: &Credentials,
) -> Result<Channel, tonic::transport::Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let pinned = handshake.certificate.clone().into();
    let mut config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Pinned(pinned, provider)))
        .with_client_auth_cert(vec![credentials.certificate.clone()], credentials.key.clone_key())
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let tls = TlsConnector::from(Arc::new(config));
    let connect = Connect { socket: handshake.socket.clone(), tls };
    Endpoint::from_static("http://localhost").connect_with_connector(connect).await
}

#[derive(Clone)]
struct Connect {
    socket: PathBuf,
    tls: TlsConnector,
}

impl Service<Uri> for Connect {
    type Response = TokioIo<TlsStream<UnixStream>>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let Self { socket, tls } = self.clone();
        Box::pin(async move {
            let stream = UnixStream::connect(socket).await?;
            let name = ServerName::try_from(wire::SERVER_NAME).unwrap();
            Ok(TokioIo::new(tls.connect(name, stream).await?))
        })
    }
}

#[derive(Debug)]
struct Pinned(CertificateDer<'static>, Arc<CryptoProvider>);

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *end_entity == self.0 {
            return Ok(ServerCertVerified::assertion());
        }
        Err(Error::General("another certificate".to_owned()))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.1.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.1.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.1.signature_verification_algorithms.supported_schemes()
    }
}
