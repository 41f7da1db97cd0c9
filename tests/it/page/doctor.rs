//! Doctor on the page: what was proven, what can be used, and which command finds out more.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;

use crate::{page::visitor::Visitor, world::World};

fn proof(agent: &str, verdict: &str, awf: &str, at: &str) -> serde_json::Value {
    json!({
        "agent": agent, "version": format!("9.8.7 of {at}"), "sha256": "0", "awf_version": awf, "login": "an API key",
        "verdict": verdict, "remains": [], "leaks": ["<b>WebSearch</b>"], "at": at,
    })
}

#[test]
fn what_was_not_tried_is_named_with_the_command_that_tries() {
    let visitor = Visitor::new();
    let page = visitor.page("/doctor");
    for part in [
        "No agent was tried yet",
        "<code>awf doctor</code>",
        "claude",
        "not tried",
        "awf mcp add",
        "is empty",
        "awf activity verify",
    ] {
        assert!(page.contains(part), "no `{part}` in {page}");
    }
    assert!(page.contains(&format!("<code>{}</code>", visitor.world.home().display())), "{page}");
    assert!(page.contains(env!("CARGO_PKG_VERSION")), "{page}");
    let refused = visitor.look("/doctor?colour=red");
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("unknown parameter `colour`"), "{}", refused.body);
}

#[test]
fn what_awf_doctor_proved_is_shown_as_soon_as_it_is() {
    let visitor = Visitor::new();
    let here = env!("CARGO_PKG_VERSION");
    let proofs = json!([
        proof("claude", "proven", here, "2026-01-01T00:00:00Z"),
        proof("claude", "leaking", here, "2026-02-02T11:22:33Z"),
        proof("codex", "residual", "0.0.1", "2026-01-01T00:00:00Z"),
    ]);
    fs::write(visitor.world.home().join("doctor.json"), proofs.to_string()).unwrap();
    let page = visitor.page("/doctor");
    let row = |agent: &str| {
        let from = page.find(&format!("id=\"agent-{agent}\"")).unwrap();
        page[from..].split("</tr>").next().unwrap()
    };
    let claude = row("claude");
    for part in [
        "leaking",
        "9.8.7 of 2026-02-02",
        "2026-02-02 11:22:33",
        "by an API key",
        "&lt;b&gt;WebSearch&lt;/b&gt;",
    ] {
        assert!(claude.contains(part), "no `{part}` in {claude}");
    }
    assert!(row("codex").contains("Tried by awf 0.0.1: it does not count"), "{}", row("codex"));
    assert!(row("gemini").contains("not tried"), "{}", row("gemini"));
}

#[test]
fn servers_are_told_with_what_stands_in_their_way() {
    let servers = json!({
        "good": {"command": "/bin/true"},
        "lacking": {"command": "/bin/true", "env": {"X": "${NO_SUCH_VARIABLE_HERE}"}},
    });
    let visitor = Visitor::at(World::new(), json!({"mcpServers": servers}));
    let page = visitor.page("/doctor");
    let state = |name: &str| {
        let from = page.find(&format!(">{name}</td>")).unwrap();
        page[from..].split("</tr>").next().unwrap()
    };
    assert!(state("good").contains("usable") && !state("good").contains("cannot"), "{page}");
    assert!(state("lacking").contains("cannot be used"), "{page}");
    assert!(state("lacking").contains("NO_SUCH_VARIABLE_HERE"), "{page}");
}

#[test]
fn a_log_that_is_switched_off_is_told() {
    let visitor = Visitor::at(World::new(), json!({"activity": {"enabled": false}}));
    assert!(visitor.page("/doctor").contains("ACTIVITY_OFF"));
}

#[test]
fn a_home_that_others_can_read_is_told() {
    let visitor = Visitor::new();
    assert!(!visitor.page("/doctor").contains("chmod 700"));
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(visitor.world.home(), open).unwrap();
    let page = visitor.page("/doctor");
    let told = format!("(mode 0755): run `chmod 700 {}`", visitor.world.home().display());
    assert!(page.contains("is open to other users") && page.contains(&told), "{page}");
}

#[test]
fn every_page_leads_to_what_the_api_is() {
    let visitor = Visitor::new();
    for path in ["/runs", "/activity", "/doctor"] {
        assert!(visitor.page(path).contains("href=\"/docs\""), "{path}");
    }
}
