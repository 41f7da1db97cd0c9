//! `awf run --open`: the page of a run, from the run's own process.

use std::{fs, net::TcpStream, os::unix::fs::PermissionsExt as _};

use crate::{intent::Web, page::visitor::log_in, processes::wait_until, world::World};

#[test]
fn the_page_of_a_run_is_there_while_it_runs_and_gone_with_it() {
    let world = World::new();
    world.workflow(
        "w",
        "name: w\nstates: {initial: a, a: {type: step, command: 'touch begun; until [ -e go ]; do sleep 0.05; done; exit 4', timeout: 60s, on_failure: {message: no, status: 9}}}\n",
    );
    let browser =
        world.file("browser", "#!/bin/sh\ncp \"${1#file://}\" part && mv part seen.html\n");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = world.command(["run", "w", "--open", "--format", "quiet"]);
    command.env("BROWSER", &browser);
    let mut web = Web::started(&world, command);
    wait_until("the browser", || world.root().join("seen.html").exists());

    // The browser is given a link that works once.
    let seen = fs::read_to_string(world.root().join("seen.html")).unwrap();
    let link = seen.split("url=").nth(1).unwrap().split('"').next().unwrap();
    let (place, code) = link.split_once('#').unwrap();
    let run =
        world.awf_json(["history", "-o", "json"])["runs"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(place, format!("http://{}/login?next=/runs/{run}", web.address()));
    let entered = log_in(&web, code);
    assert_eq!(entered.status, 303, "{}", entered.body);
    assert_ne!(log_in(&web, code).status, 303);
    let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let page = |web: &Web| {
        let headers = [("Host", web.address()), ("Cookie", &cookie)];
        web.raw(&format!("GET /runs/{run}"), &headers, "").body
    };
    wait_until("the step", || world.root().join("begun").exists());
    let shown = page(&web);
    assert!(shown.contains("data-live") && shown.contains("data-step=\"a\""), "{shown}");
    // It has no tools.
    let reply = web
        .post("/api/v1/tools/call", r#"{"tool_name":"retrieve_tools","arguments":{"query":"x"}}"#);
    assert_eq!(reply.status, 503, "{}", reply.body);

    world.file("go", "");
    assert_eq!(web.wait(), Some(9));
    assert!(TcpStream::connect(web.address()).is_err());
}
