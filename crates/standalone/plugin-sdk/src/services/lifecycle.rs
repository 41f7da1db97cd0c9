//! From the greeting to the end: who the plugin is, whether it lives, what it logs, and when it goes.

use std::sync::{Arc, PoisonError};

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use tonic::{Request, Response, Status, Streaming, async_trait};

use crate::{
    services::Running,
    values::Values,
    wire::{
        HEALTH_SERVICE,
        health::{
            HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
            health_server::Health,
        },
        host::{
            ConnInfo, Empty, StdioData, grpc_broker_server::GrpcBroker,
            grpc_controller_server::GrpcController, grpc_stdio_server::GrpcStdio, stdio_data,
        },
        v1::{
            GetInfoRequest, GetInfoResponse, InitRequest, InitResponse, ShutdownRequest,
            ShutdownResponse, plugin_service_server::PluginService,
        },
    },
};

#[async_trait]
impl PluginService for Running {
    async fn get_info(
        &self,
        _request: Request<GetInfoRequest>,
    ) -> Result<Response<GetInfoResponse>, Status> {
        Ok(Response::new(GetInfoResponse {
            name: self.plugin.name.clone(),
            version: self.plugin.version.clone(),
            description: self.plugin.description.clone(),
            capabilities: self.plugin.capabilities(),
        }))
    }

    async fn init(&self, request: Request<InitRequest>) -> Result<Response<InitResponse>, Status> {
        let settings = Values::from_wire(request.into_inner().config);
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
        Ok(Response::new(InitResponse {}))
    }

    /// The controller ends the process; nothing has to be put away before.
    async fn shutdown(
        &self,
        _request: Request<ShutdownRequest>,
    ) -> Result<Response<ShutdownResponse>, Status> {
        Ok(Response::new(ShutdownResponse {}))
    }
}

#[async_trait]
impl Health for Running {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        match request.into_inner().service.as_str() {
            "" | HEALTH_SERVICE => {
                let status = ServingStatus::Serving.into();
                Ok(Response::new(HealthCheckResponse { status }))
            }
            _ => Err(Status::not_found("unknown service")),
        }
    }
}

#[async_trait]
impl GrpcController for Running {
    /// The answer is on its way before anything ends: the server waits for it.
    async fn shutdown(&self, _request: Request<Empty>) -> Result<Response<Empty>, Status> {
        self.log.close();
        self.stop.cancel();
        Ok(Response::new(Empty {}))
    }
}

#[async_trait]
impl GrpcStdio for Running {
    type StreamStdioStream = BoxStream<'static, Result<StdioData, Status>>;

    /// What handlers log. What they print stays on the streams of the process, which the host reads as well.
    async fn stream_stdio(
        &self,
        _request: Request<()>,
    ) -> Result<Response<Self::StreamStdioStream>, Status> {
        let lines = stream::unfold(self.log.clone(), |log| async move {
            let lines = log.take().await?;
            let channel = stdio_data::Channel::Stderr.into();
            Some((Ok(StdioData { channel, data: lines.into_bytes() }), log))
        });
        Ok(Response::new(lines.boxed()))
    }
}

#[async_trait]
impl GrpcBroker for Running {
    type StartStreamStream = BoxStream<'static, Result<ConnInfo, Status>>;

    /// The plugin asks nothing of its host, so there is nothing to say; the stream stays open, as hosts expect.
    async fn start_stream(
        &self,
        request: Request<Streaming<ConnInfo>>,
    ) -> Result<Response<Self::StartStreamStream>, Status> {
        let silence = stream::unfold(request.into_inner(), |mut offers| async move {
            while let Ok(Some(_)) = offers.message().await {}
            None
        });
        Ok(Response::new(silence.take_until(self.stop.clone().cancelled_owned()).boxed()))
    }
}
