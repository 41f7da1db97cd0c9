//! What the router offers now. Most sources list their tools once; a live one is asked again, and what it says then takes
//! the place of what it said before, for all calls that come after.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use awf_core::{
    Exposure, SourceTools, ToolDefinition, ToolFailure, ToolProvider, ToolSet, ToolSetError,
    ToolSource, folded,
};
use futures_util::future::join_all;
use tokio::{sync::Mutex, time::timeout};

/// How long all sources together may take to say which tools they have.
const GATHERING: Duration = Duration::from_secs(10);
/// Bytes of an unknown name that are looked at: more than any tool's.
const LOOKED_AT: usize = 256;
/// Tools set aside that are told of one by one.
const TOLD: usize = 8;

/// All tools, as last heard of.
pub(super) struct Catalogue {
    fixed: Vec<SourceTools>,
    live: Vec<Live>,
    /// Places in `live`, by namespace.
    places: HashMap<String, usize>,
    exposure: Exposure,
    current: RwLock<Snapshot>,
    /// One rebuilds, the others wait for it.
    rebuilding: Mutex<()>,
}

/// A source whose tools come and go.
pub(super) struct Live {
    pub(super) source: ToolSource,
    provider: Arc<dyn ToolProvider>,
    /// One asks on behalf of all listings, also when the one who wanted to know has left.
    asking: Arc<Mutex<()>>,
}

#[derive(Clone)]
struct Snapshot {
    tools: Arc<ToolSet>,
    /// What `tools` was built from, one number for each live source.
    revisions: Arc<[u64]>,
}

impl Catalogue {
    /// Fails where two sources share a namespace, or two tools that never change share a name.
    pub(super) async fn new(
        fixed: Vec<SourceTools>,
        live: Vec<(ToolSource, Arc<dyn ToolProvider>)>,
        exposure: Exposure,
    ) -> Result<Self, ToolSetError> {
        let live: Vec<Live> = live
            .into_iter()
            .map(|(source, provider)| Live { source, provider, asking: Arc::default() })
            .collect();
        let namespaces = live.iter().map(|live| live.source.namespace().to_owned());
        let places = namespaces.zip(0..).collect();
        let (current, rebuilding) = (RwLock::new(Snapshot::empty()), Mutex::new(()));
        let catalogue = Self { fixed, live, places, exposure, current, rebuilding };
        let first = catalogue.listed().await?;
        catalogue.replace(first);
        Ok(catalogue)
    }

    /// The tools as they are now, as far as that is known without asking anybody. Costs nothing where nothing moved.
    pub(super) async fn current(&self) -> Arc<ToolSet> {
        let held = self.held();
        if self.holds(&held) {
            return held.tools;
        }
        let _turn = self.rebuilding.lock().await;
        let held = self.held();
        if self.holds(&held) {
            return held.tools;
        }
        match self.listed().await {
            Ok(next) => {
                self.replace(next.clone());
                next.tools
            }
            Err(error) => {
                tracing::error!(%error, "the tools cannot be listed anew");
                held.tools
            }
        }
    }

    /// The live source of that namespace, if there is one.
    pub(super) fn live(&self, namespace: &str) -> Option<&Live> {
        self.live.get(*self.places.get(namespace)?)
    }

    /// Live sources that a name on the direct surface may belong to: a client may know it from earlier.
    pub(super) fn live_before(&self, name: &str) -> impl Iterator<Item = &Live> {
        let name = folded(name.get(..name.floor_char_boundary(LOOKED_AT)).unwrap_or_default());
        self.live.iter().filter(move |live| {
            let rest = name.strip_prefix(&folded(live.source.namespace()));
            rest.is_some_and(|rest| rest.starts_with('_'))
        })
    }

    /// Another number whenever the tools may be others; 0 where they never change.
    pub(super) fn revision(&self) -> u64 {
        let revisions = self.live.iter().map(|live| live.provider.revision());
        // An odd factor loses nothing of a single step, whichever source makes it.
        revisions.fold(u64::from(!self.live.is_empty()), |sum, revision| {
            sum.wrapping_mul(0x0000_0100_0000_01b3).wrapping_add(revision)
        })
    }

    /// Asks all live sources at once, and gives those that could not be asked with the reason.
    pub(super) async fn gather(&self) -> Vec<(ToolSource, String)> {
        let asked = self.live.iter().map(|live| async {
            let reason = live.ask().await.err()?;
            Some((live.source.clone(), reason))
        });
        join_all(asked).await.into_iter().flatten().collect()
    }

    fn held(&self) -> Snapshot {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, next: Snapshot) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
    }

    fn holds(&self, snapshot: &Snapshot) -> bool {
        let now = self.live.iter().map(|live| live.provider.revision());
        now.eq(snapshot.revisions.iter().copied())
    }

    async fn listed(&self) -> Result<Snapshot, ToolSetError> {
        let (mut offers, mut revisions) = (Vec::new(), Vec::new());
        for live in &self.live {
            // Before the tools: what comes in between is noticed the next time.
            revisions.push(live.provider.revision());
            offers.push(SourceTools { source: live.source.clone(), tools: live.tools().await });
        }
        let (tools, set_aside) = ToolSet::with_live(&self.fixed, &offers, self.exposure)?;
        for error in set_aside.iter().take(TOLD) {
            tracing::warn!(%error, "a tool is set aside");
        }
        if let Some(more) = set_aside.len().checked_sub(TOLD).filter(|more| *more > 0) {
            tracing::warn!("{more} more tools are set aside");
        }
        Ok(Snapshot { tools: Arc::new(tools), revisions: revisions.into() })
    }
}

impl Live {
    /// Sees to it that what is known of it is new enough to judge a call by.
    pub(super) async fn refresh(&self) -> Result<(), ToolFailure> {
        self.provider.refresh().await
    }

    /// Whether it has ever listed its tools.
    pub(super) fn is_known(&self) -> bool {
        self.provider.revision() != 0
    }

    async fn tools(&self) -> Vec<Arc<ToolDefinition>> {
        let listed = self.provider.tools().await.unwrap_or_else(|error| {
            tracing::warn!(source = %self.source, %error, "a source does not say which tools it has");
            Vec::new()
        });
        listed.into_iter().filter(|tool| *tool.source() == self.source).collect()
    }

    /// The same as `refresh`, within bounds. A server that is slow to start goes on starting.
    async fn ask(&self) -> Result<(), String> {
        let (asking, provider) = (self.asking.clone(), self.provider.clone());
        let asked = timeout(GATHERING, async {
            let turn = asking.lock_owned().await;
            let task = tokio::spawn(async move {
                let _turn = turn;
                provider.refresh().await
            });
            task.await
        });
        match asked.await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(failure))) => Err(failure.to_string()),
            Ok(Err(broken)) => Err(format!("it broke while it was asked: {broken}")),
            Err(_) => Err(format!("it did not list its tools within {} s", GATHERING.as_secs())),
        }
    }
}

impl Snapshot {
    fn empty() -> Self {
        Self { tools: Arc::default(), revisions: Arc::default() }
    }
}
