//! What leads elsewhere is followed, with what may be told there.

use serde_json::{Value, json};

use crate::{
    server::{Reply, Server, moved, reply},
    stage::{request, trouble},
};

const SECRETS: [&str; 4] = ["authorization", "cookie", "x-api-key", "private-token"];

fn secretive(url: &str, method: &str) -> Value {
    json!({
        "url": url,
        "method": method,
        "headers": {
            "Authorization": "s3cret", "Cookie": "a=s3cret", "X-Api-Key": "s3cret",
            "Private-Token": "s3cret", "Accept": "text/plain", "Content-Type": "text/x",
        },
        "body": "payload",
    })
}

fn fine() -> Reply {
    reply("200 OK", "", "arrived")
}

#[tokio::test]
async fn another_page_of_the_same_origin_is_told_everything() {
    let server = Server::new(vec![moved(307, "/b"), fine()]).await;
    assert_eq!(request(&secretive(&server.url("/a"), "POST")).await.output, "arrived");
    let asked = &server.asked()[1];
    assert_eq!((asked.line(), asked.body.as_str()), ("POST /b", "payload"));
    assert!(SECRETS.iter().all(|name| asked.header(name).is_some_and(|it| it.contains("s3cret"))));
}

#[tokio::test]
async fn another_origin_is_told_no_secrets_and_they_do_not_come_back() {
    let home = Server::new(vec![moved(302, "/on"), fine()]).await;
    let away = Server::new(vec![moved(302, &home.url("/again"))]).await;
    let first = Server::new(vec![moved(308, &away.url("/away"))]).await;
    request(&secretive(&first.url("/"), "PUT")).await;
    assert_eq!(first.asked()[0].header("x-api-key"), Some("s3cret"));
    for asked in [away.asked()[0].clone(), home.asked()[0].clone(), home.asked()[1].clone()] {
        assert!(!asked.head.contains("s3cret"), "{}", asked.head);
        assert_eq!(asked.header("accept"), Some("text/plain"));
        assert_eq!(
            (asked.header("content-type"), asked.body.as_str()),
            (Some("text/x"), "payload")
        );
    }
}

#[tokio::test]
async fn a_user_in_the_url_stays_with_its_origin() {
    let away = Server::new(vec![fine()]).await;
    let home = Server::new(vec![moved(302, "/b"), moved(302, &away.url("/"))]).await;
    let url = home.url("/a").replace("http://", "http://me:s3cret@");
    request(&json!({ "url": url })).await;
    let sent: Vec<_> =
        home.asked().iter().map(|asked| asked.header("authorization").map(str::to_owned)).collect();
    assert_eq!(sent[0].as_deref(), Some("Basic bWU6czNjcmV0"));
    assert_eq!(sent[0], sent[1]);
    assert_eq!(away.asked()[0].header("authorization"), None);
}

#[tokio::test]
async fn methods_change_as_browsers_change_them() {
    let rows = [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (302, "DELETE", "DELETE"),
        (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"),
        (307, "POST", "POST"),
        (308, "PATCH", "PATCH"),
    ];
    for (status, method, then) in rows {
        let server = Server::new(vec![moved(status, "/b"), fine()]).await;
        request(&secretive(&server.url("/a"), method)).await;
        let asked = &server.asked()[1];
        assert_eq!(asked.line(), format!("{then} /b"));
        let whole = method == then;
        assert_eq!(
            (asked.body == "payload", asked.header("content-type").is_some()),
            (whole, whole)
        );
    }
}

#[tokio::test]
async fn five_are_followed_and_no_more() {
    let mut replies = vec![moved(302, "/"); 5];
    replies.push(fine());
    let server = Server::new(replies).await;
    assert_eq!(request(&json!({"url": server.url("/")})).await.output, "arrived");
    let server = Server::new(vec![moved(302, "/s3cret"); 6]).await;
    let told = trouble(&json!({"url": server.url("/")})).await;
    let place = server.url("");
    assert_eq!(told, format!("more than 5 redirects; the last led to `{place}`"));
}

#[tokio::test]
async fn what_is_no_way_on_is_not_taken() {
    for (location, end) in [
        ("file:///etc/passwd", "to `file:`, which is not followed: only http and https are"),
        ("http://", "but to no URL"),
    ] {
        let server = Server::new(vec![moved(302, location)]).await;
        let told = trouble(&json!({"url": server.url("/")})).await;
        assert_eq!(told, format!("`{}` leads elsewhere, {end}", server.url("")));
    }
    let server = Server::saying("302 Found", "", "nowhere").await;
    let result = request(&json!({"url": server.url("/")})).await;
    assert_eq!((result.success, result.output.as_str()), (true, "nowhere"));
}
