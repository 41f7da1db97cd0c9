//! The operations that are part of awf, behind the port of all operations.

use std::{ffi::OsString, path::PathBuf};

use async_trait::async_trait;
use awf_core::{
    OperationCall, OperationFailure, OperationProvider, OperationResult, OperationSchema, shown,
};
use awf_process::Guard;

use crate::{
    catalog::{HTTP, NOTIFY, catalog},
    http,
    notify::{self, Desktop},
    trouble::Trouble,
    wire::Wire,
};

/// The plugins `http` and `notify`, which are no processes.
pub struct Included {
    wire: Wire,
    desktop: Desktop,
}

impl Included {
    /// `env` is the whole environment: it says where the desktop is, and which proxies there are. `notify_program` is
    /// for another program than the `notify-send` of the `PATH`.
    pub fn new(
        guard: Guard,
        env: Vec<(OsString, OsString)>,
        notify_program: Option<PathBuf>,
    ) -> Self {
        let wire = Wire::new(&env);
        Self { wire, desktop: Desktop { guard, env, program: notify_program } }
    }
}

#[async_trait]
impl OperationProvider for Included {
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        let entry = catalog().into_iter().find(|entry| entry.name == plugin);
        let operations = entry.and_then(|entry| entry.operations);
        operations.ok_or_else(|| OperationFailure::Unknown(shown(plugin)))
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        let (inputs, cancel) = (&call.inputs, &call.cancel);
        let done = match (call.plugin.as_str(), call.operation.as_str()) {
            (HTTP, http::REQUEST) => http::request(&self.wire, inputs, cancel).await,
            (NOTIFY, notify::SEND) => notify::send(&self.wire, &self.desktop, inputs, cancel).await,
            (plugin, operation) => {
                return Err(OperationFailure::Unknown(shown(&format!("{plugin}.{operation}"))));
            }
        };
        done.or_else(|trouble| match trouble {
            Trouble::Cancelled => Err(OperationFailure::Cancelled),
            Trouble::Told(message) => {
                Ok(OperationResult { error: Some(message), ..OperationResult::default() })
            }
        })
    }
}
