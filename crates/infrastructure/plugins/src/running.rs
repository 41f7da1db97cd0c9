//! A plugin that runs and was greeted: its calls, until it ends.

use std::{
    fs,
    os::unix::fs::FileTypeExt as _,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use awf_core::{
    OperationCall, OperationResult, OperationSchema, StepType, StepTypeCall, StepTypeResult,
};
use awf_plugin_sdk::wire::{
    host::{Empty, grpc_controller_client::GrpcControllerClient},
    v1::{
        ExecuteRequest, ExecuteStepRequest, ListOperationsRequest, ListStepTypesRequest,
        ShutdownRequest, operation_service_client::OperationServiceClient,
        plugin_service_client::PluginServiceClient,
        step_type_service_client::StepTypeServiceClient,
    },
};
use tokio::{sync::OnceCell, task::JoinSet, time::timeout};
use tonic::{Response, Status, transport::Channel};

use crate::{
    Inventory, PluginError, PluginInfo, PluginSpec,
    call::{ANSWER_LIMIT, Fault, Limit, request},
    channel::Connection,
    process::Process,
    said::{LAST_WORDS, Since},
    values,
};

/// How long a plugin may take to answer that it will end.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long it may take to say its last words on its streams.
const STREAMS: Duration = Duration::from_millis(300);
/// How long it may take to go by itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the news of a death may take after the connection is gone.
const NEWS: Duration = Duration::from_millis(500);

/// A plugin under way. Dropping it kills its process.
pub(crate) struct Running {
    spec: Arc<PluginSpec>,
    process: Process,
    connection: Connection,
    socket: PathBuf,
    /// It is being ended, so that its end is no accident.
    ending: AtomicBool,
    info: PluginInfo,
    operations: OnceCell<Vec<OperationSchema>>,
    /// As they are called on the wire, and as they are.
    step_types: OnceCell<Vec<(String, StepType)>>,
    /// What it says unasked.
    streams: Mutex<JoinSet<()>>,
}

impl Running {
    pub(crate) fn new(
        spec: Arc<PluginSpec>,
        process: Process,
        (connection, socket): (Connection, PathBuf),
        streams: JoinSet<()>,
    ) -> Self {
        Self {
            spec,
            process,
            connection,
            socket,
            ending: AtomicBool::new(false),
            info: PluginInfo::default(),
            operations: OnceCell::new(),
            step_types: OnceCell::new(),
            streams: Mutex::new(streams),
        }
    }

    /// The same, with what it says it is.
    pub(crate) fn introduced(self, info: PluginInfo) -> Self {
        Self { info, ..self }
    }

    pub(crate) fn spec(&self) -> &PluginSpec {
        &self.spec
    }

    pub(crate) fn channel(&self) -> Channel {
        self.connection.channel.clone()
    }

    /// What it complained of.
    pub(crate) fn said(&self) -> String {
        self.process.said().words(Since::default())
    }

    /// Whether it can still be asked.
    pub(crate) fn is_usable(&self) -> bool {
        !self.process.has_ended() && !self.connection.lost.is_cancelled()
    }

    /// Everything it says it has.
    pub(crate) async fn inventory(&self) -> Result<Inventory, PluginError> {
        let limit = Limit::new(self.spec.timeout);
        let operations = self.operations(limit).await?.to_vec();
        let step_types = self.step_types(limit).await?;
        let step_types = step_types.iter().map(|(_, step_type)| step_type.clone()).collect();
        Ok(Inventory { info: self.info.clone(), operations, step_types })
    }

    /// Its operations; asked once.
    pub(crate) async fn operations(&self, limit: Limit) -> Result<&[OperationSchema], PluginError> {
        let listed = self.operations.get_or_try_init(async || {
            let client = OperationServiceClient::new(self.channel());
            let mut client = client.max_decoding_message_size(ANSWER_LIMIT);
            let asked = client.list_operations(request(ListOperationsRequest {}, limit, None));
            let said = self.ask("ListOperations", limit, asked).await?.unwrap_or_default();
            Ok(said.operations.into_iter().map(values::schema).collect())
        });
        listed.await.map(Vec::as_slice)
    }

    async fn step_types(&self, limit: Limit) -> Result<&[(String, StepType)], PluginError> {
        let listed = self.step_types.get_or_try_init(async || {
            let client = StepTypeServiceClient::new(self.channel());
            let mut client = client.max_decoding_message_size(ANSWER_LIMIT);
            let asked = client.list_step_types(request(ListStepTypesRequest {}, limit, None));
            let said = self.ask("ListStepTypes", limit, asked).await?.unwrap_or_default();
            let named = said.step_types.into_iter().map(|said| {
                let name = self.bare(&said.name).to_owned();
                (said.name, StepType { name, description: said.description })
            });
            Ok(named.collect())
        });
        listed.await.map(Vec::as_slice)
    }

    /// A name without the plugin's own before it: plugins list their step types either way.
    fn bare<'a>(&self, name: &'a str) -> &'a str {
        let own = [self.spec.name.as_str(), &self.info.name];
        let stripped = own.iter().find_map(|own| name.strip_prefix(*own)?.strip_prefix('.'));
        stripped.unwrap_or(name)
    }

    /// Uses an operation.
    pub(crate) async fn execute(
        &self,
        call: &OperationCall,
    ) -> Result<OperationResult, PluginError> {
        let limit = Limit::new(self.spec.timeout);
        let listed = self.operations(limit).await?;
        let unknown = || self.unknown(&call.operation);
        let schema = match listed.iter().find(|schema| schema.name == call.operation) {
            Some(schema) => schema,
            // One that lists none says itself what it makes of the call.
            None if listed.is_empty() => &OperationSchema::default(),
            None => return Err(unknown()),
        };
        let inputs = values::inputs(&call.inputs, schema);
        let message = ExecuteRequest { operation: call.operation.clone(), inputs };
        let client = OperationServiceClient::new(self.channel());
        let mut client = client.max_decoding_message_size(ANSWER_LIMIT);
        let asked = client.execute(request(message, limit, call.trace.as_ref()));
        let said = self.ask(&call.operation, limit, asked).await?;
        said.map(values::result).ok_or_else(unknown)
    }

    /// Takes a step.
    pub(crate) async fn execute_step(
        &self,
        call: &StepTypeCall,
    ) -> Result<StepTypeResult, PluginError> {
        let limit = Limit::new(self.spec.timeout);
        let listed = self.step_types(limit).await?;
        let unknown = || self.unknown(&call.step_type);
        let step_type = match listed.iter().find(|(_, known)| known.name == call.step_type) {
            Some((wire, _)) => wire.clone(),
            None if listed.is_empty() => call.step_type.clone(),
            None => return Err(unknown()),
        };
        let message = ExecuteStepRequest {
            step_name: call.step.clone(),
            step_type,
            config: call.config.get().as_bytes().to_vec(),
            inputs: call.inputs.get().as_bytes().to_vec(),
        };
        let client = StepTypeServiceClient::new(self.channel());
        let mut client = client.max_decoding_message_size(ANSWER_LIMIT);
        let asked = client.execute_step(request(message, limit, call.trace.as_ref()));
        let said = self.ask(&call.step_type, limit, asked).await?;
        said.map(values::step_result).ok_or_else(unknown)
    }

    fn unknown(&self, name: &str) -> PluginError {
        PluginError::UnknownOperation { plugin: self.spec.name.clone(), name: name.to_owned() }
    }

    /// One call, to its end or that of its time; `None` if the plugin has no such call.
    pub(crate) async fn ask<T>(
        &self,
        call: &str,
        limit: Limit,
        asked: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<Option<T>, PluginError> {
        let since = self.process.said().now();
        let mut asked = std::pin::pin!(timeout(limit.rest(), asked));
        let answered = tokio::select! {
            biased;
            answered = &mut asked => answered,
            // Its answer may be under way all the same.
            _ = self.process.ended() => match timeout(LAST_WORDS, asked).await {
                Ok(answered) => answered,
                Err(_) => Ok(Err(Status::unknown("Service was not ready: it has ended"))),
            },
        };
        let fault = match answered {
            Ok(Ok(response)) => return Ok(Some(response.into_inner())),
            Ok(Err(status)) => Fault::from(status).without(&self.spec.redactor),
            Err(_) => Fault::Deadline,
        };
        let (plugin, call) = (self.spec.name.clone(), call.to_owned());
        Err(match fault {
            Fault::Unimplemented => return Ok(None),
            Fault::Deadline => PluginError::Deadline { plugin, call, limit: limit.whole },
            Fault::TooLarge => PluginError::TooLarge { plugin, call },
            Fault::Undecodable(message) => PluginError::Undecodable { plugin, call, message },
            Fault::Transport(message) => return Err(self.parted(call, message, since).await),
            Fault::Refused(code, message) => {
                PluginError::Refused { plugin, call, code: format!("{code:?}"), message }
            }
        })
    }

    /// The connection failed: it is dead, or will not speak.
    async fn parted(&self, call: String, message: String, since: Since) -> PluginError {
        let plugin = self.spec.name.clone();
        if self.ending.load(Ordering::Relaxed) {
            return PluginError::Closed { plugin };
        }
        let said = self.process.said();
        if let Ok(exit) = timeout(NEWS, self.process.ended()).await {
            let said = said.last_words(since).await;
            return PluginError::Died { plugin, call, exit, said };
        }
        PluginError::Broken { plugin, call, message, said: said.words(since) }
    }

    /// Asks it to end, and ends it.
    pub(crate) async fn end(&self) {
        let usable = self.is_usable();
        self.ending.store(true, Ordering::Relaxed);
        if usable {
            self.part().await;
        }
        self.process.end(if usable { PATIENCE } else { Duration::ZERO }).await;
        self.hang_up().await;
        // Nobody is left at the other end: the connection goes, and its tasks with it.
        timeout(FAREWELL, self.connection.lost.cancelled()).await.ok();
        // An old go-plugin puts its socket where it likes, and leaves it there when it dies.
        if fs::symlink_metadata(&self.socket).is_ok_and(|found| found.file_type().is_socket()) {
            fs::remove_file(&self.socket).ok();
        }
    }

    /// Says farewell. What it answers is of no interest: go-plugin hangs up in the middle of its answer.
    async fn part(&self) {
        let mut client = PluginServiceClient::new(self.channel());
        timeout(FAREWELL, client.shutdown(ShutdownRequest {})).await.ok();
        let mut client = GrpcControllerClient::new(self.channel());
        timeout(FAREWELL, client.shutdown(Empty {})).await.ok();
        // A server that ends gracefully waits until its streams are let go, after its last words.
        timeout(STREAMS, self.process.ended()).await.ok();
        self.hang_up().await;
    }

    async fn hang_up(&self) {
        let mut streams =
            std::mem::take(&mut *self.streams.lock().unwrap_or_else(PoisonError::into_inner));
        streams.shutdown().await;
    }
}
