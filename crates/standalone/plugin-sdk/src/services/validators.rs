//! `ValidatorService`.

use tonic::{Request, Response, Status, async_trait};

use crate::{
    Failure, Issue, Workflow,
    services::{Running, on_own_thread},
    values,
    wire::v1::{
        ValidateStepRequest, ValidateStepResponse, ValidateWorkflowRequest,
        ValidateWorkflowResponse, ValidationIssue, validator_service_server::ValidatorService,
    },
};

#[async_trait]
impl ValidatorService for Running {
    async fn validate_workflow(
        &self,
        request: Request<ValidateWorkflowRequest>,
    ) -> Result<Response<ValidateWorkflowResponse>, Status> {
        let workflow = self.workflow(&request.into_inner().workflow_json);
        let issues = match self.plugin.validator.clone() {
            Some(handler) => found(move || handler(&workflow)).await?,
            None => Vec::new(),
        };
        Ok(Response::new(ValidateWorkflowResponse { issues }))
    }

    async fn validate_step(
        &self,
        request: Request<ValidateStepRequest>,
    ) -> Result<Response<ValidateStepResponse>, Status> {
        let ValidateStepRequest { workflow_json, step_name } = request.into_inner();
        let workflow = self.workflow(&workflow_json);
        let issues = match self.plugin.step_validator.clone() {
            Some(handler) => found(move || handler(&workflow, &step_name)).await?,
            None => Vec::new(),
        };
        Ok(Response::new(ValidateStepResponse { issues }))
    }
}

impl Running {
    fn workflow(&self, json: &[u8]) -> Workflow {
        Workflow { json: values::raw(json), surroundings: self.surroundings() }
    }
}

/// A validator that fails has found nothing, which must not read as "nothing is wrong".
async fn found(
    work: impl FnOnce() -> Result<Vec<Issue>, Failure> + Send + 'static,
) -> Result<Vec<ValidationIssue>, Status> {
    let issues = on_own_thread(work).await.map_err(Status::internal)?;
    Ok(issues.into_iter().map(Issue::into_wire).collect())
}
