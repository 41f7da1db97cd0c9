//! Logs and spans of this process. The only place that knows OpenTelemetry; nothing is built until a user asks for it.
//!
//! Logs go to stderr, never to stdout. Spans exist only while an exporter is configured: without one, every span is
//! disabled at its call site and costs a load and a branch.

use std::{collections::HashMap, sync::Arc};

use awf_config::TelemetrySettings;
use awf_core::{Code, TraceContext};
use awf_tools::TraceLink;
use opentelemetry::{
    Context,
    propagation::TextMapPropagator,
    trace::{TraceContextExt as _, TracerProvider as _},
};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider},
};
use tracing::{Metadata, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{
    EnvFilter, Layer, Registry,
    filter::{FilterExt as _, LevelFilter, filter_fn},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use crate::{
    cli::{LogFormat, OtelExporter, Spans, TelemetryArgs},
    environment::Environment,
    report::CommandError,
    stderr::LogSink,
};

mod clean;

use clean::Clean;

/// Spans waiting for the exporter; a burst of calls longer than this loses spans, never records.
const SPAN_QUEUE: usize = 65_536;

/// What a command wants of its telemetry, where the user says nothing else on the command line.
pub(crate) struct Wanted {
    pub(crate) spans: Spans,
    /// What is logged.
    pub(crate) level: &'static str,
    /// What configuration files say.
    pub(crate) configured: TelemetrySettings,
}

/// What was set up; must be shut down before the process ends, or the last spans are lost.
pub(crate) struct Telemetry {
    provider: Option<SdkTracerProvider>,
}

impl Telemetry {
    /// Sets up logging, and tracing when asked for. Must run inside the runtime.
    pub(crate) fn start(
        args: &TelemetryArgs,
        wanted: &Wanted,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let protocol = match wanted.spans {
            Spans::Some => exporter(args, &wanted.configured, environment)?,
            Spans::None => None,
        };
        let provider = protocol
            .map(|protocol| provider(protocol, &wanted.configured, environment))
            .transpose()?;
        let mut layers = vec![logs(args, wanted.level)?];
        layers.extend(provider.as_ref().map(spans));
        let ready = tracing_subscriber::registry().with(layers).try_init();
        ready.map_err(|error| {
            CommandError::of(Code::InternalUnmapped, format!("cannot set up logging: {error}"))
        })?;
        Ok(Self { provider })
    }

    /// How the router ties its spans to the caller's trace.
    pub(crate) fn trace_link(&self) -> TraceLink {
        match self.provider {
            Some(_) => TraceLink { adopt, point, current },
            None => TraceLink::default(),
        }
    }

    /// Sends what is left. Blocking work, so it leaves the runtime free to carry it.
    pub(crate) async fn shutdown(self) {
        let Some(provider) = self.provider else { return };
        let flushed = tokio::task::spawn_blocking(move || provider.shutdown()).await;
        match flushed {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last spans could not be exported"),
            Err(error) => tracing::warn!(%error, "the span exporter did not end"),
        }
    }
}

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Libraries that at `debug` tell of every frame; whoever wants that names them.
const QUIET: &str =
    "h2=warn,hyper=warn,hyper_util=warn,reqwest=warn,rustls=warn,tonic=warn,tower=warn";

/// Events as lines on stderr. Spans are left out, so that without an exporter they are disabled altogether.
fn logs(args: &TelemetryArgs, default_level: &str) -> Result<BoxedLayer, CommandError> {
    let level = args.log_level.as_deref().unwrap_or(default_level);
    let refused = |reason: &str| {
        CommandError::of(Code::InputInvalidFormat, format!("log level `{level}`: {reason}"))
            .hinting("try `info`, or a filter such as `awf=debug`")
    };
    // A word that is no level would be taken for the name of a part, and silence all others.
    let known = |word: &&str| word.contains(['=', ':', '[']) || word.parse::<LevelFilter>().is_ok();
    if let Some(word) = level.split(',').map(str::trim).find(|word| !known(word)) {
        return Err(refused(&format!("there is no level `{word}`")));
    }
    let filter = EnvFilter::try_new(format!("{QUIET},{level}"))
        .map_err(|error| refused(&error.to_string()))?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(Arc::new(LogSink::stderr()))
        .with_target(false)
        .with_ansi(false);
    let lines = match args.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
    };
    Ok(lines
        .with_filter(filter_fn(|metadata: &Metadata<'_>| metadata.is_event()).and(filter))
        .boxed())
}

/// awf's own spans, to the exporter.
fn spans(provider: &SdkTracerProvider) -> BoxedLayer {
    let own = filter_fn(|metadata| metadata.is_span() && metadata.target().starts_with("awf"));
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("awf"))
        .with_location(false)
        .with_threads(false)
        .with_filter(own)
        .boxed()
}

/// Which protocol to export by, if any: the flag wins, then the standard variables, then configuration.
fn exporter(
    args: &TelemetryArgs,
    configured: &TelemetrySettings,
    environment: &Environment,
) -> Result<Option<Protocol>, CommandError> {
    let asked = environment
        .var("OTEL_EXPORTER_OTLP_ENDPOINT")
        .or(environment.var("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
        .or(configured.exporter.as_deref());
    let protocol = environment
        .var("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
        .or(environment.var("OTEL_EXPORTER_OTLP_PROTOCOL"));
    let protocol = match (args.otel_exporter, protocol) {
        (Some(OtelExporter::None), _) => return Ok(None),
        (None, _) if asked.is_none() => return Ok(None),
        (Some(OtelExporter::OtlpGrpc), _)
        | (Some(OtelExporter::Otlp) | None, Some("grpc") | None) => Protocol::Grpc,
        (Some(OtelExporter::OtlpHttp), _)
        | (Some(OtelExporter::Otlp) | None, Some("http/protobuf")) => Protocol::HttpBinary,
        (Some(OtelExporter::Otlp) | None, Some(other)) => {
            let message = format!("OTEL_EXPORTER_OTLP_PROTOCOL `{other}` is not supported");
            let error = CommandError::of(Code::ConfigUnsupported, message);
            return Err(error.hinting("use `grpc` or `http/protobuf`"));
        }
    };
    Ok(Some(protocol))
}

fn provider(
    protocol: Protocol,
    configured: &TelemetrySettings,
    environment: &Environment,
) -> Result<SdkTracerProvider, CommandError> {
    let named = environment
        .var("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        .or(environment.var("OTEL_EXPORTER_OTLP_ENDPOINT"));
    // The exporter reads the variables by itself; an endpoint it is handed would outweigh them.
    let handed = configured.exporter.as_deref().filter(|_| named.is_none());
    let endpoint = named.or(handed);
    if endpoint.is_some_and(|endpoint| endpoint.starts_with("https:")) {
        return Err(CommandError::of(
            Code::ConfigUnsupported,
            "OTLP over TLS is not supported by this version of awf",
        )
        .hinting("send to a collector on this machine (http://…) and let it forward"));
    }
    let exporter = match (protocol, handed) {
        (Protocol::Grpc, None) => SpanExporter::builder().with_tonic().build(),
        (Protocol::Grpc, Some(to)) => {
            SpanExporter::builder().with_tonic().with_endpoint(to).build()
        }
        (_, None) => SpanExporter::builder().with_http().with_protocol(protocol).build(),
        (_, Some(to)) => {
            let to = format!("{}/v1/traces", to.trim_end_matches('/'));
            SpanExporter::builder().with_http().with_protocol(protocol).with_endpoint(to).build()
        }
    }
    .map_err(|error| {
        CommandError::of(Code::ConfigInvalid, format!("cannot set up the OTLP exporter: {error}"))
    })?;
    let queue = BatchConfigBuilder::default().with_max_queue_size(SPAN_QUEUE).build();
    let processor = BatchSpanProcessor::builder(Clean(exporter)).with_batch_config(queue).build();
    let service = environment.var("OTEL_SERVICE_NAME").or(configured.service_name.as_deref());
    let service = service.unwrap_or("awf").to_owned();
    let resource = Resource::builder().with_service_name(service).build();
    Ok(SdkTracerProvider::builder().with_span_processor(processor).with_resource(resource).build())
}

/// Makes `span` a child of the trace the caller named.
fn adopt(span: &Span, trace: &TraceContext) {
    let parent = context(trace);
    if parent.span().span_context().is_valid() && span.set_parent(parent).is_err() {
        tracing::debug!("the caller's trace could not be joined");
    }
}

/// Links `span` to the one that brought it about.
fn point(span: &Span, cause: &TraceContext) {
    span.add_link(context(cause).span().span_context().clone());
}

fn context(trace: &TraceContext) -> Context {
    let mut carrier = HashMap::from([("traceparent".to_owned(), trace.traceparent.clone())]);
    if let Some(state) = &trace.tracestate {
        carrier.insert("tracestate".to_owned(), state.clone());
    }
    TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier)
}

/// The trace context of `span`, to be handed on and recorded.
fn current(span: &Span) -> Option<TraceContext> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&span.context(), &mut carrier);
    Some(TraceContext {
        traceparent: carrier.remove("traceparent")?,
        tracestate: carrier.remove("tracestate"),
    })
}
