//! Who is let in to the page: by a code that works once, and then by a cookie that reads and does nothing else.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;

use crate::{
    intent::web::Web,
    page::visitor::{Visitor, code, link, log_in},
    world::World,
};

const PAGES: [&str; 4] = ["/", "/activity", "/doctor", "/activity/01ARZ3NDEKTSV4RRFFQ69G5FAV"];

fn served() -> (World, Web) {
    let world = World::new();
    let web = Web::start(&world, &world.config(json!({})));
    (world, web)
}

#[test]
fn a_code_from_awf_open_buys_a_cookie_once() {
    let (world, web) = served();
    let link = link(&world, &web);
    let (page, code) = link.split_once('#').unwrap();
    assert_eq!(page, format!("http://{}/login", web.address()));
    assert!(code.len() >= 64, "{code}");
    let reply = log_in(&web, code);
    let cookie = reply.header("set-cookie").unwrap();
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    let port = web.address().rsplit(':').next().unwrap();
    let (id, flags) = cookie.split_once("; ").unwrap();
    assert_eq!(flags, "Path=/; HttpOnly; SameSite=Strict");
    assert_eq!(id.len(), format!("awf-{port}=").len() + 64, "{id}");
    assert!(id.starts_with(&format!("awf-{port}=")) && !id.contains(web.key()), "{id}");
    let headers = [("Host", web.address()), ("Cookie", id)];
    assert_eq!(web.raw("GET /activity", &headers, "").status, 200);
    let again = log_in(&web, code);
    assert_eq!((again.status, again.header("set-cookie")), (403, None));
    assert!(again.body.contains("This code is not good"), "{}", again.body);
}

#[test]
fn the_whole_link_may_be_pasted() {
    let (world, web) = served();
    let pasted = link(&world, &web).replace('#', "%23");
    assert_eq!(log_in(&web, &pasted).status, 303);
}

#[test]
fn nobody_else_is_let_in() {
    let (world, web) = served();
    let good = code(&world, &web);
    let (other_world, other) = served();
    let foreign = code(&other_world, &other);
    for bad in ["", "x", web.key(), &foreign, &good[1..], &format!("{good}A")] {
        let reply = log_in(&web, bad);
        assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{bad}");
    }
    for path in PAGES {
        let port = web.address().rsplit(':').next().unwrap();
        for cookie in [String::new(), format!("awf-{port}="), format!("awf-{port}={}", web.key())] {
            let headers = [("Host", web.address()), ("Cookie", cookie.as_str())];
            let reply = web.raw(&format!("GET {path}"), &headers, "");
            assert_eq!(reply.status, 303, "{path} {cookie}: {}", reply.body);
            assert!(reply.header("location").unwrap().starts_with("/login"), "{path}");
        }
    }
    assert_eq!(log_in(&web, &good).status, 303, "all that was tried did not use it up");
}

#[test]
fn the_form_is_taken_from_our_own_page_only() {
    let (world, web) = served();
    let code = code(&world, &web);
    let (body, kind) =
        (format!("code={code}"), ("Content-Type", "application/x-www-form-urlencoded"));
    let port = web.address().rsplit(':').next().unwrap();
    let named = format!("http://localhost:{port}");
    for origin in [None, Some("null"), Some("http://evil.example"), Some(named.as_str())] {
        let origin = origin.map(|origin| ("Origin", origin));
        let headers: Vec<_> = [("Host", web.address()), kind].into_iter().chain(origin).collect();
        assert_eq!(web.raw("POST /login", &headers, &body).status, 403, "{origin:?}");
    }
    assert_eq!(log_in(&web, &code).status, 303);
}

#[test]
fn a_login_leads_to_where_one_wanted_to_go_and_nowhere_else() {
    let (world, web) = served();
    let reply = web.raw("GET /activity?tool=Read", &[("Host", web.address())], "");
    let login = reply.header("location").unwrap();
    assert_eq!(login, "/login?next=/activity%3Ftool%3DRead");
    let form = web.raw(&format!("GET {login}"), &[("Host", web.address())], "");
    assert!(form.body.contains(r#"name="next" value="/activity?tool=Read""#), "{}", form.body);
    for (next, led) in [("/activity%3Ftool%3DRead", "/activity?tool=Read"), ("//evil.example", "/")]
    {
        let code = code(&world, &web);
        let reply = log_in(&web, &format!("{code}&next={next}"));
        assert_eq!((reply.status, reply.header("location")), (303, Some(led)));
    }
}

#[test]
fn a_cookie_reads_and_does_nothing_else() {
    let visitor = Visitor::new();
    assert_eq!(visitor.look("/api/v1/activity").status, 200);
    let own = format!("http://{}", visitor.web.address());
    let json = ("Content-Type", "application/json");
    for line in ["POST /api/v1/tools/call", "POST /mcp", "GET /mcp", "DELETE /mcp"] {
        let reply = visitor.send(line, &[("Origin", &own), json]);
        assert_eq!(reply.status, 401, "{line}: {}", reply.body);
    }
    assert!(visitor.world.activity().is_empty());
}

/// A browser sends a cookie along for pages of other ports; it says as well who made it.
#[test]
fn a_page_of_another_origin_has_nothing_of_the_cookie() {
    let visitor = Visitor::new();
    for site in ["cross-site", "same-site"] {
        let said = [("Sec-Fetch-Site", site)];
        assert_eq!(visitor.send("GET /api/v1/activity", &said).status, 401, "{site}");
        assert_eq!(visitor.send("GET /activity", &said).status, 303, "{site}");
    }
    for site in ["same-origin", "none"] {
        assert_eq!(visitor.send("GET /activity", &[("Sec-Fetch-Site", site)]).status, 200);
    }
    for origin in ["http://127.0.0.1:1", "null", "http://evil.example"] {
        assert_eq!(visitor.send("GET /activity", &[("Origin", origin)]).status, 403);
        assert_eq!(visitor.send("POST /logout", &[("Origin", origin)]).status, 403);
    }
    assert_eq!(visitor.send("POST /logout", &[]).header("location"), Some("/login?next=/logout"));
    assert_eq!(visitor.look("/activity").status, 200, "nobody else can log a visitor out");
}

#[test]
fn logging_out_ends_the_visit() {
    let visitor = Visitor::new();
    let own = format!("http://{}", visitor.web.address());
    let reply = visitor.send("POST /logout", &[("Origin", &own)]);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/login")));
    assert!(reply.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(visitor.look("/activity").status, 303, "the cookie is worth nothing now");
    assert_eq!(visitor.look("/api/v1/activity").status, 401);
}

#[test]
fn every_answer_tells_a_browser_to_trust_nobody() {
    let visitor = Visitor::new();
    let paths = [
        "/login",
        "/activity",
        "/activity/nothing",
        "/assets/page.css",
        "/assets/page.js",
        "/api/v1/activity",
        "/nothing",
    ];
    for path in paths {
        let reply = visitor.look(path);
        for (name, value) in [
            (
                "content-security-policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            ),
            ("x-frame-options", "DENY"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
        let page = reply.body;
        if page.starts_with("<!DOCTYPE") {
            assert!(!page.contains("<style") && !page.contains(" style="), "{page}");
            assert_eq!(page.matches("<script").count(), 1, "{page}");
        }
    }
}

#[test]
fn the_browser_is_given_a_file_that_nobody_else_reads() {
    let (world, web) = served();
    let seen = world.beside("seen");
    let browser =
        world.file("browser", format!("#!/bin/sh\nprintf '%s' \"$1\" > {}\n", seen.display()));
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut open = world.command(["open", "--listen", web.address()]);
    let output = open.env("BROWSER", &browser).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    let given = fs::read_to_string(seen).unwrap();
    let file = world.home().join("open.html");
    assert_eq!(given, format!("file://{}", file.display()));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let page = fs::read_to_string(file).unwrap();
    let code = page.split_once("/login#").unwrap().1.split('"').next().unwrap();
    assert_eq!(log_in(&web, code).status, 303, "{page}");
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let (world, web) = served();
    let address = web.address().to_owned();
    drop(web);
    for world in [&world, &World::new()] {
        let output = world.awf(["open", "--print", "--listen", &address]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("SYSTEM.SERVE.UNREACHABLE") && said.contains("awf serve"), "{said}");
        assert!(output.stdout.is_empty());
    }
    let output = world.command(["open", "--listen", &address]).env("BROWSER", "/nowhere").output();
    assert_eq!(output.unwrap().status.code(), Some(4));
}
