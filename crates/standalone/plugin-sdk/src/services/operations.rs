//! `OperationService`.

use tonic::{Request, Response, Status, async_trait};

use crate::{
    Call, Operation,
    services::{Running, on_own_thread},
    values::Values,
    wire::v1::{
        ExecuteRequest, ExecuteResponse, GetOperationRequest, GetOperationResponse,
        ListOperationsRequest, ListOperationsResponse, operation_service_server::OperationService,
    },
};

#[async_trait]
impl OperationService for Running {
    async fn list_operations(
        &self,
        _request: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        let operations = self.plugin.operations.iter().map(Operation::schema).collect();
        Ok(Response::new(ListOperationsResponse { operations }))
    }

    async fn get_operation(
        &self,
        request: Request<GetOperationRequest>,
    ) -> Result<Response<GetOperationResponse>, Status> {
        let name = request.into_inner().name;
        let operation = self.operation(&name).ok_or_else(|| Status::not_found(unknown(&name)))?;
        Ok(Response::new(GetOperationResponse { operation: Some(operation.schema()) }))
    }

    async fn execute(
        &self,
        request: Request<ExecuteRequest>,
    ) -> Result<Response<ExecuteResponse>, Status> {
        let ExecuteRequest { operation: name, inputs } = request.into_inner();
        let Some(operation) = self.operation(&name).cloned() else {
            return Ok(Response::new(failed(unknown(&name))));
        };
        let surroundings = self.surroundings();
        let done = on_own_thread(move || {
            let call = Call::new(Values::from_wire(inputs), surroundings);
            let (output, data, _) = operation.run(call)?.into_parts()?;
            let data = data.into_wire();
            Ok(ExecuteResponse { success: true, output, data, error: String::new() })
        });
        Ok(Response::new(done.await.unwrap_or_else(failed)))
    }
}

impl Running {
    fn operation(&self, name: &str) -> Option<&Operation> {
        self.plugin.operations.iter().find(|operation| operation.name() == name)
    }
}

fn unknown(name: &str) -> String {
    format!("no operation `{name}`")
}

fn failed(error: String) -> ExecuteResponse {
    ExecuteResponse { error, ..Default::default() }
}
