//! Both plugins as real processes, spoken to by a host that does the least a host must do.

#![expect(clippy::unwrap_used, reason = "in a test, to fail is to panic")]

mod by_hand;
mod conversation;
mod host;
mod hostile;
