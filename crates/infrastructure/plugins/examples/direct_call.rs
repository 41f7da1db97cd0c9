//! The floor for a call of a plugin: an MCP server that does nothing but hand each call to the plugin over gRPC, with the
//! same TLS and the same message. `cargo xtask bench` starts it with the plugin's program and an operation.

use std::{
    collections::HashMap,
    error::Error,
    future::{Ready, ready},
    io::{self, BufRead as _, BufReader, Write as _, stdin, stdout},
    process::{Command, Stdio},
    sync::Arc,
    task::{Context, Poll},
};

use awf_plugin_sdk::wire::{
    CLIENT_CERT, COOKIE, Handshake, PROTOCOL_VERSIONS, SERVER_NAME, UNIX_SOCKET_DIR,
    v1::{ExecuteRequest, operation_service_client::OperationServiceClient},
};
use hyper_util::rt::TokioIo;
use rustls::{
    ClientConfig, DigitallySignedStruct, Error as TlsError, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime},
};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio_rustls::{TlsConnector, client::TlsStream};
use tonic::{
    codegen::http::Uri,
    transport::{Channel, Endpoint},
};
use tower_service::Service;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let (program, operation) =
        (words.next().ok_or("a plugin")?, words.next().ok_or("an operation")?);
    let key = rcgen::generate_simple_self_signed([SERVER_NAME.to_owned()])?;
    let folder = tempfile::tempdir()?;
    #[expect(clippy::disallowed_methods, reason = "a floor has no guard")]
    let mut plugin = Command::new(program)
        .env(COOKIE.0, COOKIE.1)
        .env(PROTOCOL_VERSIONS, "1")
        .env(CLIENT_CERT, key.cert.pem())
        .env(UNIX_SOCKET_DIR, folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(plugin.stdout.take().ok_or("its output")?).read_line(&mut line)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(&Handshake::parse(&line)?, key, &operation));
    plugin.kill()?;
    plugin.wait()?;
    served
}

/// One line, one answer. Input blocks the thread: there is nothing else to do.
async fn serve(
    handshake: &Handshake,
    key: rcgen::CertifiedKey<rcgen::KeyPair>,
    operation: &str,
) -> Result<(), Failure> {
    let mut plugin = OperationServiceClient::new(channel(handshake, key).await?);
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str() {
            Some("tools/call") => {
                let value = request["params"]["arguments"]["value"].to_string().into_bytes();
                let inputs = HashMap::from([("value".to_owned(), value)]);
                let asked = ExecuteRequest { operation: operation.to_owned(), inputs };
                let answer = plugin.execute(asked).await?.into_inner();
                let value = answer.data.get("value").ok_or("a value")?;
                json!({"structuredContent": {"value": serde_json::from_slice::<Value>(value)?}})
            }
            Some("tools/list") => json!({"tools": [{"name": operation, "inputSchema": {}}]}),
            _ => json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}),
        };
        writeln!(stdout().lock(), "{}", json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
    }
    Ok(())
}

async fn channel(
    handshake: &Handshake,
    key: rcgen::CertifiedKey<rcgen::KeyPair>,
) -> Result<Channel, Failure> {
    let certificate = key.cert.der().clone();
    let private = PrivatePkcs8KeyDer::from(key.signing_key.serialize_der()).into();
    let provider = Arc::new(aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Trusting))
        .with_client_auth_cert(vec![certificate], private)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = UnixStream::connect(&handshake.socket).await?;
    let name = ServerName::try_from(SERVER_NAME)?;
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    let dialled = Dialled(Some(TokioIo::new(stream)));
    Ok(Endpoint::from_static("http://localhost").connect_with_connector(dialled).await?)
}

/// Hands out the one connection there is.
struct Dialled(Option<TokioIo<TlsStream<UnixStream>>>);

impl Service<Uri> for Dialled {
    type Response = TokioIo<TlsStream<UnixStream>>;
    type Error = io::Error;
    type Future = Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(self.0.take().ok_or_else(|| io::ErrorKind::NotConnected.into()))
    }
}

/// Takes any certificate: the plugin is our own child, and only the cost of a call is of interest.
#[derive(Debug)]
struct Trusting;

impl ServerCertVerifier for Trusting {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        aws_lc_rs::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
