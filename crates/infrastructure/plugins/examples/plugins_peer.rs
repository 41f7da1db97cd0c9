//! What the tests of this crate start: `guard` is the guard of their children, `plugin MANNER` a plugin with the wire of
//! go-plugin, P-521 and all, that is as good or bad as its manner.

use std::{
    collections::HashMap,
    env,
    error::Error,
    io::{self, Write as _, stderr},
    path::PathBuf,
    pin::Pin,
    process::ExitCode,
    sync::Arc,
    task::{Context, Poll},
};

use awf_plugin_sdk::wire::{
    CLIENT_CERT, Handshake, UNIX_SOCKET_DIR,
    health::{
        HealthCheckRequest, HealthCheckResponse,
        health_check_response::ServingStatus,
        health_server::{Health, HealthServer},
    },
    host::{
        Empty,
        grpc_controller_server::{GrpcController, GrpcControllerServer},
    },
    v1::{
        ExecuteRequest, ExecuteResponse, ExecuteStepRequest, ExecuteStepResponse, GetInfoRequest,
        GetInfoResponse, GetOperationRequest, GetOperationResponse, InitRequest, InitResponse,
        InputSchema, ListOperationsRequest, ListOperationsResponse, ListStepTypesRequest,
        ListStepTypesResponse, OperationSchema, ShutdownRequest, ShutdownResponse, StepTypeInfo,
        ValidateStepRequest, ValidateStepResponse, ValidateWorkflowRequest,
        ValidateWorkflowResponse, ValidationIssue,
        operation_service_server::{OperationService, OperationServiceServer},
        plugin_service_server::{PluginService, PluginServiceServer},
        step_type_service_server::{StepTypeService, StepTypeServiceServer},
        validator_service_server::{ValidatorService, ValidatorServiceServer},
    },
};
use futures_util::stream;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, PKCS_ECDSA_P521_SHA512};
use rustls::{
    RootCertStore, ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer, pem::PemObject as _},
    server::WebPkiClientVerifier,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{UnixListener, UnixStream},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, transport::server::Connected};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["plugin", manner] => play(manner),
        _ => awf_process::guard_main(),
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the wire begins with a line")]
fn play(manner: &str) -> ExitCode {
    match manner {
        "leave" => {
            eprintln!("no such host");
            return ExitCode::from(3);
        }
        "stranger" => {
            eprintln!("This binary is a plugin. These are not meant to be executed directly.");
            return ExitCode::FAILURE;
        }
        "core" => println!("2|1|unix|/nowhere|grpc|AAAA"),
        "stray" => println!("starting up"),
        "silent" => {}
        _ => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            return match runtime.map_err(Into::into).and_then(|it| it.block_on(serve(manner))) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("{error}");
                    ExitCode::from(4)
                }
            };
        }
    }
    // Until it is killed.
    loop {
        std::thread::park();
    }
}

#[expect(clippy::print_stdout, reason = "the wire begins with a line")]
async fn serve(manner: &str) -> Result<(), Box<dyn Error>> {
    let mut socket = PathBuf::from(variable(UNIX_SOCKET_DIR)?);
    if manner == "loose" {
        socket.pop();
    }
    socket.push("plugin1");
    let listener = UnixListener::bind(&socket)?;
    let (tls, certificate) = tls()?;
    let shown = if manner == "impostor" { self::tls()?.1 } else { certificate };
    println!("{}", Handshake { socket: socket.clone(), certificate: shown.to_vec() });
    let stop = CancellationToken::new();
    let plugin = Plugin { manner: manner.to_owned(), stop: stop.clone() };
    let incoming = stream::unfold((listener, tls), |(listener, tls)| async move {
        let accepted = async { tls.accept(listener.accept().await?.0).await };
        let accepted = accepted.await.map(Wire);
        Some((accepted, (listener, tls)))
    });
    tonic::transport::Server::builder()
        .add_service(HealthServer::new(plugin.clone()))
        .add_service(GrpcControllerServer::new(plugin.clone()))
        .add_service(PluginServiceServer::new(plugin.clone()))
        .add_service(OperationServiceServer::new(plugin.clone()))
        .add_service(StepTypeServiceServer::new(plugin.clone()))
        .add_service(ValidatorServiceServer::new(plugin))
        .serve_with_incoming_shutdown(incoming, async move { stop.cancelled().await })
        .await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a plugin is told by its environment")]
fn variable(name: &str) -> Result<String, env::VarError> {
    env::var(name)
}

/// As go-plugin does it: P-521, an authority, and a client known by its certificate.
fn tls() -> Result<(TlsAcceptor, CertificateDer<'static>), Box<dyn Error>> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512)?;
    let mut params = CertificateParams::new(["localhost".to_owned()])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate: CertificateDer<'static> = params.self_signed(&key)?.into();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(variable(CLIENT_CERT)?.as_bytes())?)?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let clients = WebPkiClientVerifier::builder_with_provider(roots.into(), provider.clone());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(clients.build()?);
    let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
    let mut config = config.with_single_cert(vec![certificate.clone()], key)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok((TlsAcceptor::from(Arc::new(config)), certificate))
}

#[derive(Clone)]
struct Plugin {
    manner: String,
    stop: CancellationToken,
}

#[tonic::async_trait]
impl Health for Plugin {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        if self.manner == "brief" {
            std::process::abort();
        }
        let sick = self.manner == "sick" || request.get_ref().service != "plugin";
        let status = if sick { ServingStatus::NotServing } else { ServingStatus::Serving };
        Ok(Response::new(HealthCheckResponse { status: status.into() }))
    }
}

#[tonic::async_trait]
impl GrpcController for Plugin {
    async fn shutdown(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        if self.manner != "stubborn" {
            self.stop.cancel();
        }
        Ok(Response::new(Empty {}))
    }
}

#[tonic::async_trait]
impl PluginService for Plugin {
    async fn get_info(
        &self,
        _: Request<GetInfoRequest>,
    ) -> Result<Response<GetInfoResponse>, Status> {
        Ok(Response::new(GetInfoResponse {
            name: "peer".into(),
            version: "1.2.3".into(),
            description: "for tests".into(),
            capabilities: vec![],
        }))
    }

    async fn init(&self, request: Request<InitRequest>) -> Result<Response<InitResponse>, Status> {
        match request.get_ref().config.get("refuse") {
            Some(why) => Err(Status::invalid_argument(String::from_utf8_lossy(why))),
            None => Ok(Response::new(InitResponse {})),
        }
    }

    async fn shutdown(
        &self,
        _: Request<ShutdownRequest>,
    ) -> Result<Response<ShutdownResponse>, Status> {
        Ok(Response::new(ShutdownResponse {}))
    }
}

#[tonic::async_trait]
impl OperationService for Plugin {
    async fn list_operations(
        &self,
        _: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        let names = ["echo", "pid", "environment", "crash", "hang", "large", "shout", "refuse"];
        let count = InputSchema {
            name: "count".into(),
            r#type: "integer".into(),
            default: "3".into(),
            ..InputSchema::default()
        };
        let operations = names.into_iter().map(|name| OperationSchema {
            name: name.into(),
            inputs: if name == "echo" { vec![count.clone()] } else { vec![] },
            ..OperationSchema::default()
        });
        Ok(Response::new(ListOperationsResponse { operations: operations.collect() }))
    }

    async fn get_operation(
        &self,
        _: Request<GetOperationRequest>,
    ) -> Result<Response<GetOperationResponse>, Status> {
        Err(Status::internal("never asked"))
    }

    async fn execute(
        &self,
        request: Request<ExecuteRequest>,
    ) -> Result<Response<ExecuteResponse>, Status> {
        let trace = request.metadata().get("traceparent").cloned();
        let ExecuteRequest { operation, inputs } = request.into_inner();
        let mut said = ExecuteResponse { success: true, ..ExecuteResponse::default() };
        match operation.as_str() {
            "echo" => {
                said.data = inputs;
                said.output = trace.map_or_else(String::new, |it| it.to_str().unwrap_or("").into());
            }
            "pid" => said.output = std::process::id().to_string(),
            "environment" => said.data = environment(),
            "crash" => {
                stderr().write_all(b"out of luck\n")?;
                std::process::abort();
            }
            "hang" => std::future::pending().await,
            "large" => said.output = "x".repeat(100 << 20),
            "shout" => shout()?,
            _ => return Err(Status::permission_denied("not today")),
        }
        Ok(Response::new(said))
    }
}

fn environment() -> HashMap<String, Vec<u8>> {
    env::vars().map(|(name, value)| (name, value.into_bytes())).collect()
}

/// 256 MiB of complaints.
fn shout() -> io::Result<()> {
    let mut stderr = stderr();
    for _ in 0..256 {
        stderr.write_all(&vec![b'a'; 1 << 20])?;
    }
    stderr.write_all(b"\nhoarse\n")
}

#[tonic::async_trait]
impl StepTypeService for Plugin {
    async fn list_step_types(
        &self,
        _: Request<ListStepTypesRequest>,
    ) -> Result<Response<ListStepTypesResponse>, Status> {
        let named = ["query", "peer.qualified"];
        let named = named.map(|name| StepTypeInfo { name: name.into(), description: "d".into() });
        Ok(Response::new(ListStepTypesResponse { step_types: named.into() }))
    }

    async fn execute_step(
        &self,
        request: Request<ExecuteStepRequest>,
    ) -> Result<Response<ExecuteStepResponse>, Status> {
        let ExecuteStepRequest { step_name, step_type, config, inputs } = request.into_inner();
        let output = format!("{step_name}: {step_type} {}", String::from_utf8_lossy(&config));
        Ok(Response::new(ExecuteStepResponse { output, data: inputs, exit_code: 4 }))
    }
}

#[tonic::async_trait]
impl ValidatorService for Plugin {
    async fn validate_workflow(
        &self,
        request: Request<ValidateWorkflowRequest>,
    ) -> Result<Response<ValidateWorkflowResponse>, Status> {
        let message = String::from_utf8_lossy(&request.get_ref().workflow_json).into_owned();
        let issue = ValidationIssue { message, ..ValidationIssue::default() };
        Ok(Response::new(ValidateWorkflowResponse { issues: vec![issue] }))
    }

    async fn validate_step(
        &self,
        _: Request<ValidateStepRequest>,
    ) -> Result<Response<ValidateStepResponse>, Status> {
        Err(Status::unimplemented("no steps"))
    }
}

/// A connection of which the server need know nothing.
struct Wire(TlsStream<UnixStream>);

impl Connected for Wire {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
