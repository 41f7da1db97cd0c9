//! Somebody with a browser at the page of a served world.

use serde_json::{Value, json};

use crate::{
    intent::web::{Reply, Web},
    world::World,
};

/// A browser that is logged in.
pub(super) struct Visitor {
    pub(super) world: World,
    pub(super) web: Web,
    pub(super) cookie: String,
}

impl Visitor {
    pub(super) fn new() -> Self {
        Self::at(World::new(), json!({}))
    }

    /// At a world with a past, or with a configuration of its own.
    pub(super) fn at(world: World, config: Value) -> Self {
        let web = Web::start(&world, &world.config(config));
        let code = code(&world, &web);
        let reply = log_in(&web, &code);
        assert_eq!(reply.status, 303, "{}", reply.body);
        let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Self { world, web, cookie }
    }

    /// Looks at a page.
    pub(super) fn look(&self, path: &str) -> Reply {
        self.send(&format!("GET {path}"), &[])
    }

    /// Sends a request with the cookie.
    pub(super) fn send(&self, line: &str, more: &[(&str, &str)]) -> Reply {
        let host = [("Host", self.web.address()), ("Cookie", &self.cookie)];
        self.web.raw(line, &[&host, more].concat(), "")
    }

    /// The page, which must be there.
    pub(super) fn page(&self, path: &str) -> String {
        let reply = self.look(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        reply.body
    }

    /// Calls a tool through the server; what comes of it is another question.
    pub(super) fn call(&mut self, variant: &str, name: &str, arguments: &Value) {
        let kind = variant.trim_start_matches("call_tool_");
        let wanted = json!({"name": name, "args": arguments, "intent": {"operation_type": kind, "reason": "to be seen"}});
        let body = json!({"tool_name": variant, "arguments": wanted}).to_string();
        self.web.post("/api/v1/tools/call", &body);
    }
}

/// A code from `awf open`.
pub(super) fn code(world: &World, web: &Web) -> String {
    let link = link(world, web);
    link.split_once('#').unwrap().1.to_owned()
}

/// The link from `awf open`.
pub(super) fn link(world: &World, web: &Web) -> String {
    let output = world.awf(["open", "--print", "--listen", web.address()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Sends the form of the login.
pub(crate) fn log_in(web: &Web, code: &str) -> Reply {
    let origin = format!("http://{}", web.address());
    let headers = [
        ("Host", web.address()),
        ("Origin", &origin),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    web.raw("POST /login", &headers, &format!("code={code}"))
}
