//! Room for connections. Who has shown nothing yet gives way to who comes: a crowd without a key keeps nobody out.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// Ends the connection a request came by, though an answer is under way that nobody takes.
#[derive(Clone, Default)]
pub(crate) struct Hangup(pub(crate) CancellationToken);

/// So many connections at once.
pub(crate) struct Room {
    free: Arc<Semaphore>,
    strangers: Mutex<Strangers>,
}

/// Connections that have shown neither a key nor a visit, in the order they came.
#[derive(Default)]
struct Strangers {
    came: u64,
    here: BTreeMap<u64, Hangup>,
}

/// Who is on the other end of a connection.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) peer: SocketAddr,
    pub(crate) hangup: Hangup,
    number: u64,
    room: Arc<Room>,
}

/// A connection's place. Without it the connection ends, and with the connection it is given back.
pub(crate) struct Seat {
    pub(crate) guest: Guest,
    _place: OwnedSemaphorePermit,
}

impl Room {
    pub(crate) fn new(connections: usize) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(connections));
        Arc::new(Self { free, strangers: Mutex::default() })
    }

    /// A place for a connection. Where there is none, the stranger who came first is hung up on.
    pub(crate) async fn seat(self: &Arc<Self>, peer: SocketAddr) -> Option<Seat> {
        if self.free.available_permits() == 0 {
            self.see_one_off();
        }
        let place = self.free.clone().acquire_owned().await.ok()?;
        let hangup = Hangup::default();
        let mut strangers = self.strangers();
        strangers.came += 1;
        let number = strangers.came;
        strangers.here.insert(number, hangup.clone());
        drop(strangers);
        Some(Seat { guest: Guest { peer, hangup, number, room: self.clone() }, _place: place })
    }

    fn see_one_off(&self) {
        if let Some((_, hangup)) = self.strangers().here.pop_first() {
            hangup.0.cancel();
        }
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guest {
    /// It has shown that it may be here.
    pub(crate) fn admit(&self) {
        self.room.strangers().here.remove(&self.number);
    }

    pub(crate) fn is_stranger(&self) -> bool {
        self.room.strangers().here.contains_key(&self.number)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.guest.admit();
    }
}
