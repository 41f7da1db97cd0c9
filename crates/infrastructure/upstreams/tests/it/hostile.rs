//! Servers that mean no good, or know no better.

use awf_core::{Class, ToolFailure};

use crate::stage::{Stage, tool};

#[tokio::test]
async fn a_flood_of_complaints_hinders_nobody() {
    let stage = Stage::new(&[tool("echo", Class::Read), tool("die", Class::Read)]);
    stage.write("manner", "flood");
    stage.text("echo").await;
    let failure = stage.call("die").await.unwrap_err().to_string();
    assert!(failure.ends_with("that was all / out of memory"), "{failure}");
    assert!(failure.len() < 4096, "{}", failure.len());
    stage.end().await;
}

#[tokio::test]
async fn a_line_too_long_fails_its_call_and_no_other() {
    let stage = Stage::new(&[tool("echo", Class::Read), tool("long", Class::Read)]);
    let failure = stage.call("long").await.unwrap_err();
    let ToolFailure::Unavailable(why) = &failure else { panic!("{failure:?}") };
    assert!(why.starts_with("server `peer`: the server's reply is unusable: longer than"), "{why}");
    stage.text("echo").await;
    assert_eq!(stage.count("starts"), 1);
    stage.end().await;
}

#[tokio::test]
async fn lists_without_end_are_refused() {
    for (manner, why) in [
        ("endless", "the server's tool list is too long: more than 1,000 pages"),
        ("long", "the server's reply is unusable: longer than"),
    ] {
        let stage = Stage::new(&[]);
        stage.write("manner", manner);
        let told = stage.refusal().await;
        assert!(told.contains(why), "{told}");
        stage.end().await;
    }
}

#[tokio::test]
async fn what_a_server_asks_of_us_is_refused() {
    let stage = Stage::new(&[tool("ask", Class::Read)]);
    assert_eq!(stage.text("ask").await, "-32601 -32601 -32601");
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_grows_too_long_later_stops_calls_until_it_is_mended() {
    let stage = Stage::with(&[tool("echo", Class::Write)], |ground| {
        ground.max_age = std::time::Duration::ZERO;
    });
    stage.refresh().await.unwrap();
    stage.write("manner", "long");
    assert_eq!(
        stage.refusal().await,
        "server `peer` does not list its tools, and what it listed before may not be true any more; call again later"
    );
    assert_eq!(stage.seen().await.len(), 1, "what it last listed is still known");
    stage.write("manner", "good");
    stage.refresh().await.unwrap();
    stage.text("echo").await;
    stage.end().await;
}
