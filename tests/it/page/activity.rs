//! Activity on the page: the calls there are, found by their columns, each in full, and all of it text.

use std::fs;

use serde_json::json;

use crate::{activity_store::log_of, page::visitor::Visitor, world::World};

/// A page with nothing on it says what to do.
#[test]
fn nothing_to_show_is_told_with_what_to_do() {
    let visitor = Visitor::new();
    let page = visitor.page("/activity");
    assert!(page.contains("No calls yet") && page.contains("<code>awf demo</code>"), "{page}");
    let page = visitor.page("/activity?tool=Nothing");
    assert!(page.contains("No call matches these filters"), "{page}");
}

#[test]
fn calls_are_rows_found_by_what_they_are() {
    let mut visitor = Visitor::new();
    visitor.world.file("f.txt", "hello\n");
    visitor.call("call_tool_read", "builtin:Read", &json!({"file_path": "f.txt"}));
    visitor.call("call_tool_read", "builtin:Bash", &json!({"command": "true"}));
    visitor.call(
        "call_tool_write",
        "builtin:Write",
        &json!({"file_path": "g.txt", "content": "x"}),
    );
    let records = visitor.world.activity();
    let ids: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    let [write, bash, read] = ids[..] else { panic!("{ids:?}") };
    let rows: [(&str, &[&str]); 8] = [
        ("", &[write, bash, read]),
        ("?tool=&status=&intent_type=", &[write, bash, read]),
        ("?tool=Bash", &[bash]),
        ("?status=denied", &[bash]),
        ("?intent_type=write", &[write]),
        ("?server=builtin&source=api&since=1h&status=success", &[write, read]),
        ("?limit=1", &[write]),
        (&format!("?limit=1&cursor={write}"), &[bash]),
    ];
    for (query, expected) in rows {
        let page = visitor.page(&format!("/activity{query}"));
        let shown: Vec<&str> = page
            .match_indices("data-row id=\"")
            .map(|(at, before)| &page[at + before.len()..at + before.len() + 26])
            .collect();
        assert_eq!(shown, expected, "{query}");
    }
    let page = visitor.page("/activity?limit=1&tool=Read");
    assert!(!page.contains("rel=\"next\""), "{page}");
    let page = visitor.page("/activity?limit=1&status=success");
    let older = format!("href=\"/activity?limit=1&amp;status=success&amp;cursor={write}\"");
    assert!(page.contains(&older), "{page}");
}

#[test]
fn one_goes_back_the_way_one_came() {
    let mut visitor = Visitor::new();
    for _ in 0..4 {
        visitor.call("call_tool_read", "builtin:Glob", &json!({"pattern": "*"}));
    }
    let led = |page: &str, rel: &str| {
        let (_, rest) = page.split_once(&format!("rel=\"{rel}\" href=\""))?;
        rest.split('"').next().map(|link| link.replace("&amp;", "&"))
    };
    let first = visitor.page("/activity?limit=1&tool=Glob");
    assert_eq!((led(&first, "prev"), led(&first, "first")), (None, None));
    let mut way = vec![first];
    while let Some(older) = led(way.last().unwrap(), "next") {
        way.push(visitor.page(&older));
    }
    assert_eq!(way.len(), 4);
    let mut page = way.pop().unwrap();
    assert_eq!(led(&page, "first").as_deref(), Some("/activity?limit=1&tool=Glob"));
    while let Some(expected) = way.pop() {
        page = visitor.page(&led(&page, "prev").unwrap());
        assert_eq!(page, expected);
    }
}

#[test]
fn what_is_no_filter_is_told_in_the_words_of_the_api() {
    let mut visitor = Visitor::new();
    for query in ["status=ok", "since=yesterday", "cursor=x", "limit=0"] {
        let reply = visitor.look(&format!("/activity?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        let told = visitor.web.get(&format!("/api/v1/activity?{query}"));
        let told: serde_json::Value = serde_json::from_str(&told.body).unwrap();
        assert!(reply.body.contains(told["detail"].as_str().unwrap()), "{}", reply.body);
        assert!(reply.body.contains("<form class=\"filters\""), "it can be mended: {}", reply.body);
    }
}

#[test]
fn what_the_page_does_not_know_is_told() {
    let visitor = Visitor::new();
    for (query, told) in [
        ("colour=red", "unknown parameter `colour`: there are `since`"),
        ("trail=x", "`trail` must be ids of records"),
    ] {
        let reply = visitor.look(&format!("/activity?{query}"));
        assert_eq!(reply.status, 400, "{query}");
        assert!(reply.body.contains(told), "{}", reply.body);
    }
}

#[test]
fn a_call_opens_to_all_that_is_known_of_it() {
    let mut visitor = Visitor::new();
    visitor.world.file("f.txt", "hello\n");
    visitor.call("call_tool_read", "builtin:Read", &json!({"file_path": "f.txt"}));
    visitor.call("call_tool_read", "builtin:Bash", &json!({"command": "true"}));
    let records = visitor.world.activity();
    let shown = |index: usize| {
        visitor.page(&format!("/activity/{}", records[index]["id"].as_str().unwrap()))
    };
    let read = shown(1);
    let request = records[1]["request_id"].as_str().unwrap();
    for part in [
        "&quot;file_path&quot;: &quot;f.txt&quot;",
        "hello",
        "to be seen",
        "call_tool_read",
        request,
        "allow",
    ] {
        assert!(read.contains(part), "no `{part}` in {read}");
    }
    let denied = shown(0);
    for part in ["SERVER_MISMATCH", "deny", "is marked destructive by server"] {
        assert!(denied.contains(part), "no `{part}` in {denied}");
    }
    let missing = visitor.look("/activity/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("ACTIVITY_NOT_FOUND"), "{}", missing.body);
}

#[test]
fn whatever_was_said_is_text() {
    let mut visitor = Visitor::new();
    let hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{}}";
    visitor.world.file("f.txt", hostile);
    visitor.call("call_tool_read", "builtin:Read", &json!({"file_path": "f.txt"}));
    visitor.call("call_tool_read", hostile, &json!({"x": hostile}));
    let name = format!("{hostile}:{hostile}");
    visitor.call("call_tool_read", &name, &json!({(hostile): hostile}));
    let mut pages = vec![visitor.page("/activity")];
    pages.extend(
        visitor
            .world
            .activity()
            .iter()
            .map(|record| visitor.page(&format!("/activity/{}", record["id"].as_str().unwrap()))),
    );
    let query = "%3Cscript%3Ealert(1)%3C/script%3E%22%20onfocus=alert(1)%20x=%22";
    for name in ["tool", "status", "colour", "cursor"] {
        pages.push(visitor.look(&format!("/activity?{name}={query}")).body);
    }
    pages.push(visitor.look(&format!("/activity/{query}")).body);
    pages.push(visitor.look(&format!("/login?next=/{query}")).body);
    assert!(pages.iter().filter(|page| page.contains("&lt;script&gt;")).count() >= 4);
    for page in pages {
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script src=\"/assets/page.js\" defer>").count(),
            "{page}"
        );
        assert!(!page.contains("<img") && !page.contains("\" onfocus"), "{page}");
    }
}

#[test]
fn a_log_that_is_switched_off_is_told() {
    let visitor = Visitor::at(World::new(), json!({"activity": {"enabled": false}}));
    let reply = visitor.look("/activity");
    assert_eq!(reply.status, 404);
    assert!(reply.body.contains("activity.enabled: true"), "{}", reply.body);
}

#[test]
fn a_log_that_is_damaged_is_told_above_what_is_left() {
    let (world, segment) = log_of(5);
    let bytes = fs::read(&segment).unwrap();
    let at: usize = bytes.split_inclusive(|byte| *byte == b'\n').take(4).map(<[u8]>::len).sum();
    fs::write(&segment, [&bytes[..at], b"garbage\n", &bytes[at..]].concat()).unwrap();
    let visitor = Visitor::at(world, json!({}));
    let page = visitor.page("/activity");
    assert!(page.contains(&format!("is damaged from byte {at} on")), "{page}");
    assert!(page.contains("awf activity verify"), "{page}");
    assert_eq!(page.matches("data-row").count(), 2, "{page}");
}

/// Who judges a call by what the page shows must not be shown another one.
#[test]
fn what_turns_a_text_around_is_written_out() {
    let mut visitor = Visitor::new();
    let command = "echo \u{202e}cod.exe \u{9b}31m";
    visitor.call("call_tool_destructive", "builtin:Bash", &json!({"command": command}));
    let id = visitor.world.activity()[0]["id"].as_str().unwrap().to_owned();
    let page = visitor.page(&format!("/activity/{id}"));
    assert!(page.contains(r"echo \u{202e}cod.exe \u{9b}31m"), "{page}");
    assert!(!page.contains(['\u{202e}', '\u{9b}']), "{page}");
}
