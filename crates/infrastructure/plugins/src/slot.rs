//! The place of one plugin in a run: empty until it is first used, filled anew when what was there has died.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use tokio_util::sync::CancellationToken;

use crate::{
    PluginError, PluginSpec,
    greeting::{Ground, start},
    running::Running,
};

/// A start that many may wait for.
type Starting = Shared<BoxFuture<'static, Result<Arc<Running>, PluginError>>>;

/// The place of one plugin.
pub(crate) struct Slot {
    pub(crate) spec: Arc<PluginSpec>,
    state: Mutex<State>,
}

enum State {
    Empty,
    Starting(Starting),
    Running(Arc<Running>),
    Closed,
}

impl Slot {
    pub(crate) fn new(spec: PluginSpec) -> Arc<Self> {
        Arc::new(Self { spec: Arc::new(spec), state: Mutex::new(State::Empty) })
    }

    /// The plugin, started if need be. All who come while it starts wait for the same start and get what came of it.
    pub(crate) async fn running(
        self: &Arc<Self>,
        ground: &Arc<Ground>,
        closing: &CancellationToken,
    ) -> Result<Arc<Running>, PluginError> {
        let starting = {
            let mut state = self.state();
            let old = match &*state {
                State::Closed => return Err(self.closed()),
                State::Running(running) if running.is_usable() => return Ok(running.clone()),
                State::Starting(starting) => Err(starting.clone()),
                State::Running(running) => Ok(Some(running.clone())),
                State::Empty => Ok(None),
            };
            old.map_or_else(
                |starting| starting,
                |old| {
                    let starting = self.begin(old, ground.clone(), closing.clone());
                    *state = State::Starting(starting.clone());
                    starting
                },
            )
        };
        starting.await
    }

    /// A task of its own, which goes on when whoever asked first has given up.
    fn begin(
        self: &Arc<Self>,
        old: Option<Arc<Running>>,
        ground: Arc<Ground>,
        closing: CancellationToken,
    ) -> Starting {
        let slot = self.clone();
        let task = tokio::spawn(async move {
            let started = async {
                if let Some(old) = old {
                    old.end().await;
                }
                start(slot.spec.clone(), &ground).await.map(Arc::new)
            };
            let started = tokio::select! {
                biased;
                () = closing.cancelled() => Err(slot.closed()),
                started = started => started,
            };
            slot.settle(started)
        });
        let lost = self.closed();
        // A start that was torn down with its runtime has no answer.
        async move { task.await.unwrap_or(Err(lost)) }.boxed().shared()
    }

    fn settle(
        &self,
        started: Result<Arc<Running>, PluginError>,
    ) -> Result<Arc<Running>, PluginError> {
        let mut state = self.state();
        match &*state {
            State::Closed => return Err(self.closed()),
            State::Empty | State::Starting(_) | State::Running(_) => {}
        }
        *state = match &started {
            Ok(running) => State::Running(running.clone()),
            Err(_) => State::Empty,
        };
        started
    }

    /// Ends the plugin, for good.
    pub(crate) async fn close(&self) {
        let state = std::mem::replace(&mut *self.state(), State::Closed);
        match state {
            State::Running(running) => running.end().await,
            // It hears that all is closing, and drops what it has.
            State::Starting(starting) => drop(starting.await),
            State::Empty | State::Closed => {}
        }
    }

    fn closed(&self) -> PluginError {
        PluginError::Closed { plugin: self.spec.name.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
