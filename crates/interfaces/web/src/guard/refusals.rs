//! Who was turned away, in the log: a line a second at most, and how many there was none for. Nothing a client sent is
//! in it: it may be a key that was nearly right.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::house::House;

/// From one line to the next.
const PAUSE: Duration = Duration::from_secs(1);

/// What was told of refusals.
#[derive(Default)]
pub(crate) struct Refusals(Mutex<Told>);

#[derive(Default)]
struct Told {
    next: Option<Instant>,
    left_out: u64,
}

/// Tells that a request of `peer` was refused, or counts it to be told later.
pub(super) fn note(house: &Arc<House>, peer: SocketAddr, code: &'static str) {
    let now = Instant::now();
    let mut told = house.refusals.0.lock().unwrap_or_else(PoisonError::into_inner);
    match told.next.filter(|next| *next > now) {
        None => {
            told.next = Some(now + PAUSE);
            tracing::warn!(%peer, code, "a request was refused");
        }
        Some(next) => {
            told.left_out += 1;
            if told.left_out == 1 {
                let house = house.clone();
                house.tasks.clone().spawn(async move { tell_rest(&house, next).await });
            }
        }
    }
}

/// Tells at `next`, or when serving ends, how many were left out.
async fn tell_rest(house: &House, next: Instant) {
    house.stop.run_until_cancelled(sleep_until(next)).await;
    let mut told = house.refusals.0.lock().unwrap_or_else(PoisonError::into_inner);
    tracing::warn!(count = told.left_out, "further requests were refused");
    *told = Told { next: Some(Instant::now() + PAUSE), left_out: 0 };
}
