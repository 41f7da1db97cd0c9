//! Eight processes that write to one log for as long as it takes: six servers over stdin, one behind HTTP with two clients,
//! and one `awf call` after the other. Whoever of them is killed is followed by the next.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead as _, BufReader, Read, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    journal::{HELLO, call_line},
    random::Random,
    server::failed,
    world::World,
};

pub(super) const PROCESSES: usize = 8;
/// Calls that a server over stdin has under way at once.
const IN_FLIGHT: usize = 4;

/// What became of a call, as its caller saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Asked,
    Answered,
}

/// The processes, and every call that was asked of them, by the name that tells it from all others.
pub(super) struct Crew<'a> {
    world: &'a World,
    config: &'a Path,
    /// Whoever works in each place just now.
    places: [Mutex<Option<Child>>; PROCESSES],
    calls: Mutex<HashMap<String, Seen>>,
    over: AtomicBool,
    lives: AtomicUsize,
}

pub(super) struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'a> Crew<'a> {
    pub(super) fn new(world: &'a World, config: &'a Path) -> Self {
        Self {
            world,
            config,
            places: Default::default(),
            calls: Mutex::default(),
            over: AtomicBool::new(false),
            lives: AtomicUsize::new(0),
        }
    }

    /// Works in one place until it is over. Should it fail, it is over for all.
    pub(super) fn work(&self, place: usize) {
        let _over = self.until_dropped();
        while !self.over.load(Ordering::Relaxed) {
            let life = self.lives.fetch_add(1, Ordering::Relaxed);
            match place {
                0 => self.caller(place, &format!("c{life}")),
                1 => self.web(place, &format!("w{life}")),
                _ => self.server(place, &format!("s{life}")),
            }
        }
    }

    /// Kills one that is at work, by chance, wherever it stands.
    pub(super) fn kill_one(&self, random: &mut Random) {
        loop {
            let place = usize::try_from(random.below(PROCESSES as u64)).unwrap();
            if let Some(child) = self.places[place].lock().unwrap().as_mut() {
                child.kill().unwrap();
                return;
            }
            thread::yield_now();
        }
    }

    /// When this is dropped, everybody finishes what is under way.
    pub(super) fn until_dropped(&self) -> Over<'_> {
        Over(&self.over)
    }

    pub(super) fn calls(self) -> HashMap<String, Seen> {
        self.calls.into_inner().unwrap()
    }

    fn ask(&self, name: &str) {
        assert_eq!(self.calls.lock().unwrap().insert(name.to_owned(), Seen::Asked), None);
    }

    fn note_answer(&self, name: &str) {
        let before = self.calls.lock().unwrap().insert(name.to_owned(), Seen::Answered);
        assert_eq!(before, Some(Seen::Asked), "{name} was answered twice, or never asked");
    }

    /// One that can be killed from now on. Its pipes are the caller's.
    fn start(&self, place: usize, mut command: Command) -> (Option<ChildStdin>, ChildStdout) {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let pipes = (child.stdin.take(), child.stdout.take().unwrap());
        let before = self.places[place].lock().unwrap().replace(child);
        assert!(before.is_none(), "two at one place");
        pipes
    }

    /// Whether it ended by itself, and how. From here on nobody can kill it.
    fn finish(&self, place: usize) -> Option<i32> {
        let mut child = self.places[place].lock().unwrap().take().unwrap();
        child.wait().unwrap().code()
    }

    /// `awf call`, once.
    fn caller(&self, place: usize, name: &str) {
        self.ask(name);
        let arguments = json!({"file_path": name}).to_string();
        let words = ["--log-level", "off", "call", "tool-read", "Read", "--args", &arguments];
        let config = ["--config", self.config.to_str().unwrap()];
        let command = self.world.command([&words[..], &config].concat());
        let (_, mut stdout) = self.start(place, command);
        let mut said = String::new();
        stdout.read_to_string(&mut said).unwrap();
        let code = self.finish(place);
        assert!(code.is_none_or(|code| code == 3), "{code:?}: {said}");
        if said.ends_with('\n') {
            self.note_answer(name);
        }
    }

    /// `awf mcp-serve`, with as many calls under way as may be.
    fn server(&self, place: usize, prefix: &str) {
        let mut command = self.world.serve_command(self.config);
        command.args(["--log-level", "off"]).stdin(Stdio::piped());
        let (stdin, stdout) = self.start(place, command);
        let mut stdin = stdin.unwrap();
        // A server that is killed breaks the pipe. What it answered before is still to be read.
        let sent = writeln!(stdin, "{HELLO}");
        let mut answers = BufReader::new(stdout).lines().map_while(Result::ok);
        if sent.is_ok() && answers.next().is_some() {
            let mut next = 0;
            let mut send = || {
                let name = format!("{prefix}-{next}");
                self.ask(&name);
                next += 1;
                writeln!(stdin, "{}", call_line(next - 1, &name))
            };
            let mut goes_on = (0..IN_FLIGHT).all(|_| send().is_ok());
            while goes_on && let Some(line) = answers.next() {
                self.note_line(prefix, &line);
                goes_on = !self.over.load(Ordering::Relaxed) && send().is_ok();
            }
        }
        drop(stdin);
        answers.for_each(|line| self.note_line(prefix, &line));
        let code = self.finish(place);
        assert!(code.is_none_or(|code| code == 0), "{code:?}");
    }

    /// A line that a kill cut in two is no answer.
    fn note_line(&self, prefix: &str, line: &str) {
        if let Ok(answer) = serde_json::from_str::<Value>(line) {
            assert!(failed(&answer["result"]), "{line}");
            self.note_answer(&format!("{prefix}-{}", answer["id"]));
        }
    }

    /// `awf serve`, with two clients.
    fn web(&self, place: usize, prefix: &str) {
        let words = ["serve", "--listen", "127.0.0.1:0", "--log-level", "off", "--config"];
        let command = self.world.command([&words[..], &[self.config.to_str().unwrap()]].concat());
        let (_, stdout) = self.start(place, command);
        let mut said = BufReader::new(stdout).lines().map_while(Result::ok);
        let address = said.next().map(|line| line.replace("listening on http://", ""));
        if let Some(address) = address {
            let key = fs::read_to_string(self.world.home().join("api-key")).unwrap();
            thread::scope(|scope| {
                for client in ["a", "b"] {
                    let (address, key) = (&address, key.trim());
                    let prefix = format!("{prefix}-{client}");
                    scope.spawn(move || self.client(address, key, &prefix));
                }
            });
        }
        if let Some(child) = self.places[place].lock().unwrap().as_ref() {
            let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
            kill_process(pid, Signal::TERM).unwrap();
        }
        said.for_each(drop);
        self.finish(place);
    }

    /// Calls until nobody answers any more.
    fn client(&self, address: &str, key: &str, prefix: &str) {
        for number in 0.. {
            let name = format!("{prefix}-{number}");
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            self.ask(&name);
            if post(address, key, &name).is_none() {
                return;
            }
            self.note_answer(&name);
        }
    }
}

/// One call over HTTP, on a connection of its own; `None` when the answer did not come, or not whole.
fn post(address: &str, key: &str, name: &str) -> Option<()> {
    let mut connection = TcpStream::connect(address).ok()?;
    connection.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    let body = json!({"tool_name": "call_tool_read", "arguments": {
        "name": "builtin:Read", "args": {"file_path": name}, "intent": {"operation_type": "read"},
    }});
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST /api/v1/tools/call HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    connection.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    connection.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    let answer: Value = serde_json::from_str(body).ok()?;
    assert!(head.starts_with("HTTP/1.1 200 ") && failed(&answer), "{reply}");
    Some(())
}
