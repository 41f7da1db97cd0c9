//! `StepTypeService`.

use tonic::{Request, Response, Status, async_trait};

use crate::{
    Step, StepType,
    services::{Running, on_own_thread},
    values,
    wire::v1::{
        ExecuteStepRequest, ExecuteStepResponse, ListStepTypesRequest, ListStepTypesResponse,
        step_type_service_server::StepTypeService,
    },
};

#[async_trait]
impl StepTypeService for Running {
    async fn list_step_types(
        &self,
        _request: Request<ListStepTypesRequest>,
    ) -> Result<Response<ListStepTypesResponse>, Status> {
        let step_types = self.plugin.step_types.iter().map(StepType::info).collect();
        Ok(Response::new(ListStepTypesResponse { step_types }))
    }

    async fn execute_step(
        &self,
        request: Request<ExecuteStepRequest>,
    ) -> Result<Response<ExecuteStepResponse>, Status> {
        let ExecuteStepRequest { step_name, step_type: name, config, inputs } =
            request.into_inner();
        let found = self.plugin.step_types.iter().find(|step_type| step_type.name() == name);
        let Some(step_type) = found.cloned() else {
            return Err(Status::not_found(format!("no step type `{name}`")));
        };
        let surroundings = self.surroundings();
        let done = on_own_thread(move || {
            let (config, inputs) = (object(&config), object(&inputs));
            let step = Step { name: step_name, config, inputs, surroundings };
            let (output, data, exit_code) = step_type.run(&step)?.into_parts()?;
            Ok(ExecuteStepResponse { output, data: data.into_object(), exit_code })
        });
        // The wire has no room for an error of a step; a command that fails says why, and ends with 1.
        let failed = |output| ExecuteStepResponse { output, data: b"{}".to_vec(), exit_code: 1 };
        Ok(Response::new(done.await.unwrap_or_else(failed)))
    }
}

/// What is left out is an object with nothing in it.
fn object(bytes: &[u8]) -> Box<serde_json::value::RawValue> {
    values::raw(if bytes.is_empty() { b"{}" } else { bytes })
}
