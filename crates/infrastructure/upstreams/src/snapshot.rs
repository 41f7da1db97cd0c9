//! The newest list of a server's tools, judged. Always there at once; taken anew behind everybody's back.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use awf_core::{ToolDefinition, ToolSource, shown};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::{
    digest::Digest,
    judge::{Judgement, Listed},
    pins::{PinError, Pins, Shelf, Stamp},
    screen::{Withheld, screen},
};

/// Withheld tools that are logged; a server with endless names must not fill the log.
const MOST_LOGGED: usize = 1_000;

/// When a list was asked for, of whom, and after which news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Which connection.
    pub(crate) connection: u64,
    /// How many times it had told that its list changed.
    pub(crate) heard: u64,
    pub(crate) asked: Instant,
}

/// One list.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) mark: Mark,
    pub(crate) list: Arc<List>,
}

/// What was listed, and what it counts as.
pub(crate) struct List {
    pub(crate) tools: Vec<Listed>,
    /// Places in `tools`, by name.
    places: HashMap<String, usize>,
    pub(crate) withheld: Vec<Withheld>,
    /// Of the list as it came.
    digest: Digest,
    /// Of the pins it was held against.
    stamp: Stamp,
}

impl List {
    /// The tool of that name, as it was judged.
    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<ToolDefinition>> {
        self.tools.get(*self.places.get(name)?).map(|tool| &tool.definition)
    }

    fn says(&self, other: &Self) -> bool {
        let verdict = |tool: &Listed| (tool.definition.class(), tool.definition.standing());
        self.digest == other.digest
            && self.tools.iter().map(verdict).eq(other.tools.iter().map(verdict))
    }
}

/// Holds the newest list.
pub(crate) struct Snapshots {
    source: ToolSource,
    pins: Arc<Pins>,
    pub(crate) shelf: Shelf,
    newest: Mutex<Option<Snapshot>>,
    revision: AtomicU64,
    /// One list is taken at a time.
    turn: Mutex<()>,
    /// What the log was told already.
    logged: Mutex<HashSet<(String, String)>>,
}

impl Snapshots {
    pub(crate) fn new(name: &str, pins: Arc<Pins>, shelf: Shelf) -> Self {
        Self {
            source: ToolSource::Mcp(name.to_owned()),
            pins,
            shelf,
            newest: Mutex::default(),
            revision: AtomicU64::new(0),
            turn: Mutex::default(),
            logged: Mutex::default(),
        }
    }

    pub(crate) fn source(&self) -> &ToolSource {
        &self.source
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    pub(crate) fn newest(&self) -> Option<Snapshot> {
        locked(&self.newest).clone()
    }

    pub(crate) fn tools(&self) -> Vec<Arc<ToolDefinition>> {
        let newest = self.newest();
        let tools = newest.iter().flat_map(|snapshot| &snapshot.list.tools);
        tools.map(|tool| tool.definition.clone()).collect()
    }

    /// Screens, judges and keeps what a server listed. Reads and writes files.
    pub(crate) fn take(&self, raw: Vec<Box<RawValue>>, mark: Mark) -> Result<(), PinError> {
        let _turn = locked(&self.turn);
        let stamp = Pins::stamp(&self.shelf);
        let digest = Digest::of(raw.iter().map(|tool| Some(tool.get())));
        let old = self.newest();
        if old.as_ref().is_some_and(|old| old.mark.connection > mark.connection) {
            // It comes from a server that was replaced meanwhile.
            return Ok(());
        }
        let same = old.filter(|old| old.list.digest == digest && old.list.stamp == stamp);
        if let Some(old) = same {
            *locked(&self.newest) = Some(Snapshot { mark, ..old });
            return Ok(());
        }
        let book = self.pins.read(&self.shelf)?;
        let screened = screen(&self.source, raw, |name| book.contains_key(name));
        self.log(&screened.withheld);
        let names = screened.tools.iter().map(|tool| tool.definition.name().to_string());
        let places = names.zip(0..).collect();
        let tools = self.judged(screened.tools)?;
        let list = List { tools, places, withheld: screened.withheld, digest, stamp };
        self.replace(Snapshot { mark, list: Arc::new(list) });
        Ok(())
    }

    /// Judges the newest list again: somebody approved something.
    pub(crate) fn judge_again(&self) -> Result<(), PinError> {
        let _turn = locked(&self.turn);
        let Some(Snapshot { mark, list }) = self.newest() else { return Ok(()) };
        let stamp = Pins::stamp(&self.shelf);
        let list = List {
            tools: self.judged(list.tools.clone())?,
            places: list.places.clone(),
            withheld: list.withheld.clone(),
            digest: list.digest.clone(),
            stamp,
        };
        self.replace(Snapshot { mark, list: Arc::new(list) });
        Ok(())
    }

    fn judged(&self, tools: Vec<Listed>) -> Result<Vec<Listed>, PinError> {
        let judged = self.pins.judge(&self.shelf, &tools)?;
        let with = |(tool, judgement): (Listed, Judgement)| {
            let definition = Arc::unwrap_or_clone(tool.definition);
            let definition = Arc::new(definition.judged(judgement.class, judgement.standing));
            Listed { definition, ..tool }
        };
        Ok(tools.into_iter().zip(judged).map(with).collect())
    }

    fn replace(&self, snapshot: Snapshot) {
        let mut newest = locked(&self.newest);
        let same = newest.as_ref().is_some_and(|old| old.list.says(&snapshot.list));
        *newest = Some(snapshot);
        if !same {
            self.revision.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn log(&self, withheld: &[Withheld]) {
        let mut logged = locked(&self.logged);
        for Withheld { name, reason } in withheld {
            if logged.len() < MOST_LOGGED && logged.insert((name.clone(), reason.to_string())) {
                let server = shown(self.source.namespace());
                tracing::warn!(%server, tool = %name, %reason, "a tool is withheld");
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
