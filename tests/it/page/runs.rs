//! Runs on the page: the list with its filters, one run with its waterfall.

use serde_json::json;

use crate::{page::visitor::Visitor, timeline::ran, world::World};

#[test]
fn without_runs_the_next_command_is_named() {
    let visitor = Visitor::new();
    assert_eq!(visitor.look("/").header("location"), Some("/runs"));
    let page = visitor.page("/runs");
    assert!(page.contains("<code>awf run &lt;workflow&gt;</code>"), "{page}");
    assert!(page.contains("<code>awf demo</code>"), "{page}");
    assert!(visitor.page("/runs?status=failed").contains("No run matches these filters."));
}

#[test]
fn runs_are_found_by_their_filters_and_lead_to_their_timelines() {
    let (world, ran) = ran(&[]);
    world.run("name: w\nstates: {initial: a, a: {type: step, command: exit 4}}\n", &[]);
    let visitor = Visitor::at(world, json!({}));
    let rows = |query: &str| visitor.page(&format!("/runs{query}")).matches("<tr data-row").count();
    for (query, wanted) in [
        ("", 2),
        ("?workflow=w&status=&since=&until=", 2),
        ("?workflow=x", 0),
        ("?status=success", 1),
        ("?status=failed&since=1h", 1),
        ("?until=1h", 0),
        ("?limit=1", 1),
    ] {
        assert_eq!(rows(query), wanted, "{query}");
    }
    let first = visitor.page("/runs?limit=1&workflow=w");
    let older = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let second = visitor.page(&older.replace("&amp;", "&"));
    assert!(second.contains(&format!("href=\"/runs/{}\"", ran.id())), "{second}");
    let reply = visitor.look("/runs?status=ok&workflow=mine");
    assert_eq!(reply.status, 400);
    assert!(
        reply.body.contains("must be running, success") && reply.body.contains("value=\"mine\"")
    );
}

#[test]
fn a_run_is_shown_with_every_bar_and_nothing_it_said_is_markup() {
    let (world, ran) = ran(&[]);
    let visitor = Visitor::at(world, json!({}));
    let page = visitor.page(&format!("/runs/{}", ran.id()));
    assert_eq!(page.matches("<svg class=\"bar\"").count(), 7 + 4 + 4, "{page}");
    assert_eq!(page.matches("<details id=\"call-").count(), 4);
    assert!(page.contains("&lt;script&gt;alert('turn')&lt;/script&gt;"), "{page}");
    assert!(!page.contains("<img") && !page.contains("style="), "{page}");
    assert!(!page.contains("data-live") && !page.contains("sk-ant-api03"), "{page}");
    for record in visitor.world.activity() {
        let link = format!("href=\"/activity/{}\"", record["id"].as_str().unwrap());
        assert!(page.contains(&link), "{link}");
    }
    for (path, status) in [("/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV", 404), ("/runs/x?y=1", 400)] {
        let reply = visitor.look(path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.body.starts_with("<!DOCTYPE html>"), "{}", reply.body);
    }
    let nobody =
        visitor.web.raw(&format!("GET /runs/{}", ran.id()), &[("Host", visitor.web.address())], "");
    assert_eq!((nobody.status, nobody.body.as_str()), (303, ""));
}

#[test]
fn a_damaged_journal_is_told_on_the_page() {
    let world = World::new();
    let ran = world.run("name: w\nstates: {initial: a, a: {type: step, command: 'true'}}\n", &[]);
    let journal = world.home().join(format!("runs/{}.jsonl", ran.id()));
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, format!("{text}{{}}\n")).unwrap();
    let visitor = Visitor::at(world, json!({}));
    assert!(visitor.page("/runs").contains("damaged"));
    let page = visitor.page(&format!("/runs/{}", ran.id()));
    assert!(
        page.contains("cannot be read from line") && page.contains("data-step=\"a\""),
        "{page}"
    );
}
