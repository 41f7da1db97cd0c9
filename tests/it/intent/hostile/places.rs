//! One server never stands in the place of another: not when one is switched off, not when a name comes up later.

use serde_json::json;

use crate::{
    intent::{
        hostile::READ,
        stage::{Upstream, in_order, settings, tool},
        web::Web,
    },
    world::World,
};

/// A client that is shown one server reaches that one, wherever a server that is off stands in the file.
#[test]
fn a_view_leads_to_the_server_it_names_beside_one_that_is_off() {
    let world = World::new();
    let [a, b, c] =
        ["a", "b", "c"].map(|name| Upstream::of_tools(&world, name, &[&tool("look", READ)]));
    let mut config = settings(&[&a, &b, &c], &json!({}));
    config["mcpServers"]["a"]["enabled"] = json!(false);
    let mut web = Web::start(&world, &world.config(config));
    let mut call = |view: &str, name: &str| {
        let arguments = in_order("call_tool_read", name, r#"{"n":1}"#);
        let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
        web.post(&format!("/api/v1/tools/call?servers={view}"), &body)
    };
    for (view, other) in [("b", "c"), ("c", "b")] {
        let reached = call(view, &format!("{view}:look"));
        assert_eq!(reached.status, 200, "{view}: {}", reached.body);
        let refused = call(view, &format!("{other}:look"));
        assert_eq!(refused.status, 404, "{view}: {}", refused.body);
        assert!(refused.body.contains("UNKNOWN_SERVER"), "{}", refused.body);
    }
    let body = r#"{"tool_name":"retrieve_tools","arguments":{"query":"look of a test"}}"#;
    let found = web.post("/api/v1/tools/call?servers=b", body).body;
    assert!(found.contains("b:look") && !found.contains("c:look"), "{found}");
    assert_eq!((a.lists(), b.calls().len(), c.calls().len()), (0, 1, 1));
}
