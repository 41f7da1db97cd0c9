//! The activity log as a user sees it: its order, its formats, its damages, its limits.

use serde_json::json;

use crate::{server::failed, world::World};

#[test]
fn records_are_listed_in_the_order_of_the_calls_across_pages() {
    let world = World::new();
    let mut server = world.serve();
    // No such file: the quickest call there is, so that many fall into one millisecond.
    let names: Vec<String> = (0..250).map(|call| format!("{call}.txt")).collect();
    for name in &names {
        assert!(failed(&server.call("Read", &json!({"file_path": name}))));
    }
    let listed: Vec<_> = world.activity().into_iter().rev().collect();
    let listed: Vec<_> = listed.iter().map(|record| &record["arguments"]["file_path"]).collect();
    assert_eq!(listed, names.iter().collect::<Vec<_>>());
}
