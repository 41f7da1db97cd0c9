//! What a URL may say.

use awf_core::Operation;
use axum::{http::StatusCode, response::IntoResponse as _};

use super::{View, view};

#[test]
fn a_view_is_read_from_the_url() {
    let servers = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect());
    let rows = [
        ("/mcp", View::default()),
        ("/mcp?", View::default()),
        ("/mcp?allow=read", View { allow: Some(Operation::Read), ..View::default() }),
        ("/mcp?servers=a", View { servers: servers(&["a"]), ..View::default() }),
        (
            "/mcp?servers=a%2Cb,c&allow=write",
            View { servers: servers(&["a", "b", "c"]), allow: Some(Operation::Write) },
        ),
    ];
    for (uri, expected) in rows {
        assert_eq!(view(&uri.parse().unwrap()).unwrap(), expected, "{uri}");
    }
}

#[test]
fn what_no_view_has_is_refused_with_what_there_is() {
    let rows = [
        ("/mcp?server=a", "unknown parameter `server`: there are `servers`, `allow`"),
        ("/mcp?apikey=x", "unknown parameter `apikey`: there are `servers`, `allow`"),
        ("/mcp?allow=all", "`allow` must be read, write or destructive"),
        ("/mcp?allow=", "`allow` must be read, write or destructive"),
        ("/mcp?allow=read&allow=write", "parameter `allow` is given twice"),
        ("/mcp?servers=", "`servers` must be names of servers with commas between"),
        ("/mcp?servers=a,,b", "`servers` must be names of servers with commas between"),
    ];
    for (uri, expected) in rows {
        let problem = view(&uri.parse().unwrap()).unwrap_err();
        let shown = format!("{problem:?}");
        assert!(shown.contains(expected), "{uri}: {shown}");
        assert_eq!(problem.into_response().status(), StatusCode::BAD_REQUEST);
    }
}
