//! A real OTLP receiver on loopback: the collector's trace service, by gRPC or by HTTP.

use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    trace::v1::Span,
};
use prost::Message as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};
use tonic::{
    Request, Response, Status,
    transport::{Server, server::TcpIncoming},
};

#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<Span>>>);

impl Received {
    fn take_in(&self, request: ExportTraceServiceRequest) {
        let scopes = request.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        self.0.lock().unwrap().extend(scopes.flat_map(|scope| scope.spans));
    }
}

#[tonic::async_trait]
impl TraceService for Received {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.take_in(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Collects spans until dropped.
pub(crate) struct Receiver {
    received: Received,
    endpoint: String,
}

impl Receiver {
    pub(crate) async fn grpc() -> Self {
        let (listener, endpoint) = listen().await;
        let received = Received::default();
        let service = TraceServiceServer::new(received.clone());
        tokio::spawn(
            Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(listener)),
        );
        Self { received, endpoint }
    }

    pub(crate) async fn http() -> Self {
        let (listener, endpoint) = listen().await;
        let received = Received::default();
        let sink = received.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(one_post(stream, sink.clone()));
            }
        });
        Self { received, endpoint }
    }

    /// The value for `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub(crate) fn endpoint(&self) -> String {
        self.endpoint.clone()
    }

    /// What has arrived so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.received.0.lock().unwrap().clone()
    }
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    (listener, endpoint)
}

/// Reads posts off one connection and answers each as a collector does.
async fn one_post(stream: TcpStream, sink: Received) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
        assert!(line.starts_with("POST /v1/traces "), "{line}");
        while line.trim() != "" {
            line.clear();
            stream.read_line(&mut line).await.ok()?;
            if let Some((name, value)) =
                line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                assert!(!name.is_empty());
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        sink.take_in(ExportTraceServiceRequest::decode(body.as_slice()).unwrap());
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n").await.ok()?;
    }
}
