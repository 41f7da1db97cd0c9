//! From page to page. The log goes on after a record, never before one, so a page's address keeps the way it was reached.

use awf_core::ActivityId;

use crate::{
    page::{activity::PATH, fields::address},
    problem::Problem,
    query::Parameters,
};

/// The cursors of the pages between the newest and this one.
pub(super) const TRAIL: &str = "trail";
/// Pages that are remembered; from further back one comes to the newest at once.
const LONGEST: usize = 50;

/// Whether the trail is one.
pub(super) fn check(given: &Parameters) -> Result<(), Problem> {
    let known =
        |text: &str| text.split('.').all(|id| ActivityId::parse(id).is_some()).then_some(());
    given.value(TRAIL, "ids of records, with dots between", known).map(|_| ())
}

pub(super) fn newest(given: &Parameters) -> String {
    link(given, None, &[])
}

pub(super) fn newer(given: &Parameters) -> String {
    match trail(given).as_slice() {
        [] => newest(given),
        [earlier @ .., last] => link(given, Some(last), earlier),
    }
}

pub(super) fn older(given: &Parameters, next: ActivityId) -> String {
    let mut trail = trail(given);
    trail.extend(given.text("cursor"));
    let kept = trail.len().saturating_sub(LONGEST);
    link(given, Some(&next.to_string()), trail.get(kept..).unwrap_or_default())
}

fn trail(given: &Parameters) -> Vec<&str> {
    given.text(TRAIL).map(|text| text.split('.').collect()).unwrap_or_default()
}

fn link(given: &Parameters, cursor: Option<&str>, trail: &[&str]) -> String {
    let trail = trail.join(".");
    let trail = Some(trail.as_str()).filter(|trail| !trail.is_empty());
    let moved = [("cursor", cursor), (TRAIL, trail)];
    let moved = moved.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let kept = given.pairs().filter(|(name, _)| !["cursor", TRAIL].contains(name));
    address(PATH, kept.chain(moved))
}
