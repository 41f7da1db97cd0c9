//! What sessions had used before they were gone on with. Some programs count from the beginning of a session, so that a
//! step that goes on would be charged for the steps before it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use awf_core::Usage;

/// The counts of the sessions of one run; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    totals: Arc<Mutex<BTreeMap<String, Usage>>>,
}

/// What a session had used before a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Before {
    /// Nothing: it begins with the step.
    New,
    /// This much.
    Known(Usage),
    /// It is older than this run.
    Unknown,
}

impl Ledger {
    pub(crate) fn before(&self, session: Option<&str>) -> Before {
        let Some(session) = session else { return Before::New };
        let totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.get(session).map_or(Before::Unknown, |total| Before::Known(*total))
    }

    pub(crate) fn note(&self, session: Option<&str>, total: Option<Usage>) {
        if let (Some(session), Some(total)) = (session, total) {
            let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
            totals.insert(session.to_owned(), total);
        }
    }
}

impl Before {
    /// What a step used, by the total of its session if the program gives one, else by its `own` count.
    pub(crate) fn used(self, own: Usage, total: Option<Usage>) -> Usage {
        match (self, total) {
            (Self::New, Some(total)) => total,
            (Self::Known(before), Some(total)) if total.input_tokens >= before.input_tokens => {
                less(total, before)
            }
            // A total that is less than before is of another count: it says nothing of the step.
            (Self::Known(_) | Self::Unknown, Some(_)) | (_, None) => own,
        }
    }
}

fn less(total: Usage, before: Usage) -> Usage {
    Usage {
        input_tokens: total.input_tokens.saturating_sub(before.input_tokens),
        output_tokens: total.output_tokens.saturating_sub(before.output_tokens),
        estimated: total.estimated,
        cost: total.cost.map(|cost| (cost - before.cost.unwrap_or_default()).max(0.0)),
    }
}
