//! Which tools a client is shown, and whether it should ask again.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{ClientIdentity, ToolProvider, shown};
use awf_mcp::{Implementation, RpcError, ToolLister};
use serde_json::value::RawValue;
use tokio::{sync::watch, time::sleep};

/// The revision of tools that never change.
pub(super) const UNCHANGING: u64 = 0;
/// How often it is looked whether there is news. A revision is a number one looks at; nobody calls when it moves.
const LOOK: Duration = Duration::from_secs(1);

/// The tools of a provider, as clients ask for them.
pub(super) struct Listing {
    provider: Arc<dyn ToolProvider>,
    /// The revision that was listed last.
    listed: AtomicU64,
}

impl Listing {
    pub(super) fn new(provider: Arc<dyn ToolProvider>) -> Self {
        let listed = AtomicU64::new(provider.revision());
        Self { provider, listed }
    }

    /// Says on `change` when the tools are others than those listed last.
    pub(super) async fn watch(&self, change: &watch::Sender<u64>) -> Infallible {
        loop {
            sleep(LOOK).await;
            let now = self.provider.revision();
            let news = now != self.listed.load(Ordering::Relaxed);
            change.send_if_modified(|told| news && std::mem::replace(told, now) != now);
        }
    }
}

#[async_trait]
impl ToolLister for Listing {
    async fn list(&self, client: Option<&Implementation>) -> Result<Vec<Box<RawValue>>, RpcError> {
        let client = client.map(identity);
        let tools = self.provider.tools_for(client.as_ref()).await;
        let tools =
            tools.map_err(|failure| RpcError::internal(format!("Internal error: {failure}")))?;
        self.listed.store(self.provider.revision(), Ordering::Relaxed);
        Ok(tools.iter().map(|tool| tool.raw().as_raw().to_owned()).collect())
    }
}

/// Who a client says it is, made printable.
pub(super) fn identity(client: &Implementation) -> ClientIdentity {
    ClientIdentity { name: shown(&client.name), version: shown(&client.version) }
}
