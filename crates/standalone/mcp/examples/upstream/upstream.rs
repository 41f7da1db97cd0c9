//! The server itself: what it knows, and where a message goes.

use std::{
    collections::HashMap,
    fs::OpenOptions,
    io::Write,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use serde_json::{Value, json, value::RawValue};

use crate::{
    call, list,
    message::{self, Message, Params},
    script::{Era, Listing, Script},
};

/// Where lines to the client go.
pub(crate) type Out = Arc<dyn Fn(&str) + Send + Sync>;

/// A server at work.
pub(crate) struct Upstream {
    pub(crate) script: Script,
    pub(crate) state: Mutex<State>,
}

/// What has happened so far.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) lists: usize,
    pub(crate) calls: usize,
    pub(crate) stage: usize,
    /// Who is told that the list changed: the subscription's id, in the modern era, and the way there.
    listeners: Vec<(Option<Box<RawValue>>, Out)>,
    /// Our own questions that wait for an answer, by id.
    pub(crate) questions: HashMap<String, mpsc::Sender<String>>,
}

impl Upstream {
    pub(crate) fn new(script: Script) -> Self {
        let upstream = Self { script, state: Mutex::default() };
        upstream.advance();
        upstream
    }

    /// Takes one line of the client. Whatever may take long has a thread of its own.
    pub(crate) fn take(self: &Arc<Self>, line: &str, out: &Out) {
        let Ok(message) = serde_json::from_str::<Message<'_>>(line) else { return };
        match (&message.method, message.id) {
            (None, Some(id)) => self.answered(id, line),
            (Some(method), Some(id)) => self.request(method, id, &message, out),
            (_, None) => {}
        }
    }

    fn request(self: &Arc<Self>, method: &str, id: &RawValue, message: &Message<'_>, out: &Out) {
        let modern = self.script.era == Era::Modern;
        let params = message.params();
        match method {
            "initialize" | "server/discover" if self.script.start.silent => {}
            "initialize" if !modern => out(&message::result(id, &self.hello().to_string())),
            "server/discover" if modern => {
                out(&message::result(id, &self.discovered().to_string()));
            }
            "subscriptions/listen" if modern => self.listen(Some(id.to_owned()), out),
            "ping" => out(&message::result(id, "{}")),
            "tools/list" => self.list(id, &params, out),
            "tools/call" => self.call(id, &params, out),
            _ => out(&message::error(id, -32601, &format!("Method not found: {method}"))),
        }
    }

    fn hello(&self) -> Value {
        json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": self.script.name, "version": self.script.version},
        })
    }

    fn discovered(&self) -> Value {
        let identity = json!({"name": self.script.name, "version": self.script.version});
        json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {"listChanged": true}},
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": identity},
        })
    }

    fn list(&self, id: &RawValue, params: &Params<'_>, out: &Out) {
        self.advance();
        self.count(&["list", params.cursor.as_deref().unwrap_or_default()]);
        let stage = self.state.lock().unwrap().stage;
        let page = list::page(self, params.cursor.as_deref());
        let page = page.map(|page| message::result(id, &page));
        match (self.script.stages[stage].listing, page) {
            (Listing::Served, Some(page)) => out(&page),
            (Listing::AfterMs(pause), Some(page)) => {
                let out = Arc::clone(out);
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(pause));
                    out(&page);
                });
            }
            (Listing::Refused(code), _) => out(&message::error(id, code, "refused by the script")),
            (Listing::Served | Listing::AfterMs(_), None) => {}
        }
        self.state.lock().unwrap().lists += usize::from(params.cursor.is_none());
        self.advance();
    }

    fn call(self: &Arc<Self>, id: &RawValue, params: &Params<'_>, out: &Out) {
        let arguments = params.arguments.map_or("", RawValue::get).to_owned();
        let meta = params.meta.map_or("", RawValue::get);
        self.count(&["call", &params.name, &arguments, meta]);
        self.state.lock().unwrap().calls += 1;
        self.advance();
        let (upstream, id, out) = (Arc::clone(self), id.to_owned(), Arc::clone(out));
        let name = params.name.clone();
        thread::spawn(move || call::answer(&upstream, &name, &arguments, (&id, &out)));
    }

    /// Goes on to every stage whose time has come.
    pub(crate) fn advance(&self) {
        let mut state = self.state.lock().unwrap();
        while let Some(next) = self.script.stages.get(state.stage + 1)
            && (next.on_list.is_some_and(|lists| state.lists >= lists)
                || next.on_call.is_some_and(|calls| state.calls >= calls)
                || next.on_file.as_ref().is_some_and(|file| file.exists()))
        {
            state.stage += 1;
            for (subscription, out) in state.listeners.iter().filter(|_| next.tell) {
                let params = subscription.as_ref().map_or_else(
                    || json!({}),
                    |id| json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}}),
                );
                out(&message::notification("notifications/tools/list_changed", &params));
            }
        }
    }

    /// Tells `out` of changes, also of those that come between two messages.
    pub(crate) fn watch(self: &Arc<Self>, out: &Out) {
        if self.script.era == Era::Legacy {
            self.listen(None, out);
        }
        if self.script.stages.iter().any(|stage| stage.on_file.is_some()) {
            let upstream = Arc::clone(self);
            thread::spawn(move || {
                loop {
                    upstream.advance();
                    // A file cannot be awaited without a dependency; this is the test's side.
                    thread::sleep(Duration::from_millis(5));
                }
            });
        }
    }

    pub(crate) fn listen(&self, subscription: Option<Box<RawValue>>, out: &Out) {
        self.state.lock().unwrap().listeners.push((subscription, Arc::clone(out)));
    }

    fn answered(&self, id: &RawValue, line: &str) {
        let id: String = serde_json::from_str(id.get()).unwrap_or_default();
        if let Some(question) = self.state.lock().unwrap().questions.remove(&id) {
            drop(question.send(line.to_owned()));
        }
    }

    fn count(&self, words: &[&str]) {
        if let Some(path) = &self.script.count {
            append(path, &words.join("\t"));
        }
    }
}

/// Adds a line in one write, so that several processes may share a file.
pub(crate) fn append(path: &Path, line: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}
