//! What a plugin answers: its own services, and those that go-plugin brings along.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::{JoinError, spawn_blocking};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::{
    Failure, Plugin,
    call::Surroundings,
    log::Log,
    values::Values,
    wire::{
        health::health_server::HealthServer,
        host::{
            grpc_broker_server::GrpcBrokerServer, grpc_controller_server::GrpcControllerServer,
            grpc_stdio_server::GrpcStdioServer,
        },
        v1::{
            operation_service_server::OperationServiceServer,
            plugin_service_server::PluginServiceServer,
            step_type_service_server::StepTypeServiceServer,
            validator_service_server::ValidatorServiceServer,
        },
    },
};

mod lifecycle;
mod operations;
mod steps;
mod validators;

/// A plugin under way.
pub(crate) struct Running {
    plugin: Plugin,
    /// As the host last gave them.
    settings: Mutex<Arc<Values>>,
    log: Log,
    stop: CancellationToken,
}

impl Running {
    pub(crate) fn new(plugin: Plugin, stop: CancellationToken) -> Self {
        Self { plugin, settings: Mutex::default(), log: Log::default(), stop }
    }

    fn surroundings(&self) -> Surroundings {
        let settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        Surroundings { settings: Arc::clone(&settings), log: self.log.clone() }
    }
}

/// All services. Messages may be of any size: what is too large is for the host to say.
pub(crate) fn routes(running: Arc<Running>) -> Routes {
    macro_rules! unbounded {
        ($server:ident) => {
            $server::from_arc(Arc::clone(&running))
                .max_decoding_message_size(usize::MAX)
                .max_encoding_message_size(usize::MAX)
        };
    }
    Routes::new(unbounded!(PluginServiceServer))
        .add_service(unbounded!(OperationServiceServer))
        .add_service(unbounded!(StepTypeServiceServer))
        .add_service(unbounded!(ValidatorServiceServer))
        .add_service(HealthServer::from_arc(Arc::clone(&running)))
        .add_service(GrpcBrokerServer::from_arc(Arc::clone(&running)))
        .add_service(GrpcStdioServer::from_arc(Arc::clone(&running)))
        .add_service(GrpcControllerServer::from_arc(running))
        .prepare()
}

/// Runs a handler where it may wait. A panic is a failure of that call, in the words of the panic.
async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, String> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(|failure| failure.to_string()),
        Err(error) => Err(last_words(error)),
    }
}

fn last_words(error: JoinError) -> String {
    let Ok(panic) = error.try_into_panic() else { return "the plugin is ending".to_owned() };
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the plugin panicked: {}", text.unwrap_or("it did not say why"))
}
