//! All open sessions, by ids that nobody can guess.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::http::StatusCode;

use crate::{key::random_hex, mcp::session::Session, problem::Problem};

/// The sessions there are, never more than a given number.
pub(crate) struct Sessions {
    most: usize,
    open: Mutex<HashMap<String, Arc<Session>>>,
}

impl Sessions {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, open: Mutex::default() }
    }

    /// Takes in a session under a new id. When there is no room, the one unused for the longest time goes.
    pub(super) fn admit(&self, session: Arc<Session>) -> Result<String, Problem> {
        let full = |detail: &str| {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "TOO_MANY_SESSIONS", detail)
        };
        let id = random_hex().map_err(|_| full("the system gives no random numbers"))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, session| !session.is_over());
        if open.len() >= self.most {
            let unused = open.iter().filter_map(|(id, session)| Some((session.unused()?, id)));
            let oldest = unused.max().map(|(_, id)| id.clone());
            let oldest = oldest.and_then(|id| open.remove(&id));
            oldest.ok_or_else(|| full("every session is in use: try again later"))?.end();
        }
        open.insert(id.clone(), session);
        Ok(id)
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<Session>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let session = open.get(id)?.clone();
        if session.is_over() {
            open.remove(id);
            return None;
        }
        session.touch();
        Some(session)
    }
}
