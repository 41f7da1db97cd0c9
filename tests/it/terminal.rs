//! What a person at a terminal sees: running steps that move, questions, and answers that are not shown.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    os::fd::OwnedFd,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use rustix::{
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};

use crate::{cli_agent::Theatre, processes::wait_until, workflow::Running, world::World};

/// A terminal with awf at its other end.
struct Terminal {
    run: Running,
    keyboard: File,
    screen: mpsc::Receiver<String>,
    seen: String,
}

impl Terminal {
    fn open(world: &World, args: &[&str]) -> Self {
        Self::running(world.command(args))
    }

    fn running(mut command: Command) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let end = || Stdio::from(OwnedFd::from(theirs.try_clone().unwrap()));
        command.stdin(end()).stdout(end()).stderr(end()).env("TERM", "xterm");
        // The ends the command holds go with it: the screen ends when awf does.
        let run = Running::start(command);
        drop(theirs);
        let keyboard = File::from(ours);
        let mut reader = keyboard.try_clone().unwrap();
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The read fails when the other end is closed.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned()).is_err() {
                    break;
                }
            }
        });
        Self { run, keyboard, screen, seen: String::new() }
    }

    /// Waits until the screen shows `text`.
    fn shows(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let piece = self.screen.recv_timeout(Duration::from_secs(20));
            self.seen +=
                &piece.unwrap_or_else(|error| panic!("{error}: no {text:?} in {:?}", self.seen));
        }
    }

    /// Waits for whatever comes next.
    fn shows_more(&mut self) {
        let piece = self.screen.recv_timeout(Duration::from_secs(20));
        self.seen +=
            &piece.unwrap_or_else(|error| panic!("{error}: nothing after {:?}", self.seen));
    }

    fn types(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).unwrap();
    }

    fn ends(mut self) -> (i32, String) {
        let code = self.run.0.wait().unwrap().code().unwrap();
        while let Ok(piece) = self.screen.recv_timeout(Duration::from_millis(500)) {
            self.seen.push_str(&piece);
        }
        (code, self.seen)
    }
}

#[test]
fn a_running_step_moves_and_its_time_grows() {
    let world = World::new();
    world.workflow(
        "w",
        "states:\n  slow: {type: step, command: 'echo hi; until [ -e go ]; do sleep 0.05; done'}\n",
    );
    let mut terminal = Terminal::open(&world, &["run", "w"]);
    terminal.shows("| hi");
    // Drawn again in its place, a second later with another time.
    terminal.shows("\x1b[1A\x1b[2K");
    terminal.shows("slow  1.");
    world.file("go", "");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("ok   slow"), "{seen}");
}

#[test]
fn more_steps_than_rows_are_counted_and_not_drawn() {
    let world = World::new();
    let names: Vec<String> = (10..50).map(|number| format!("s{number}")).collect();
    let wait = "{type: step, command: 'until [ -e go ]; do sleep 0.05; done'}";
    let states: Vec<String> = names.iter().map(|name| format!("  {name}: {wait}\n")).collect();
    let all = format!("  all: {{type: parallel, parallel: [{}]}}\n", names.join(", "));
    world.workflow("w", &format!("states:\n  initial: all\n{all}{}", states.concat()));
    let mut terminal = Terminal::open(&world, &["run", "w"]);
    // 24 rows: 22 steps, or 23 where these are all, the line that counts the others, and the row of the cursor.
    terminal.shows("and 18 more");
    assert!(terminal.seen.contains("all.s32"), "{}", terminal.seen);
    assert!(!terminal.seen.contains("all.s33"), "{}", terminal.seen);
    world.file("go", "");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("ok   all.s49"), "{seen}");
}

#[test]
fn a_missing_input_is_asked_for_until_it_fits_and_a_secret_is_not_shown() {
    let world = World::new();
    world.workflow("w", "inputs:\n  - {name: count, type: integer, required: true, description: How many}\n  - {name: key, required: true, secret: true}\nstates:\n  one: {type: step, command: 'echo $count ${#key}'}\n");
    let mut terminal = Terminal::open(&world, &["run", "w"]);
    terminal.shows("count (How many): ");
    terminal.types("many\n");
    terminal.shows("is no integer");
    terminal.types("3\n");
    terminal.shows("key: ");
    terminal.types("swordfish\n");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("| 3 9"), "{seen}");
    assert!(!seen.contains("swordfish"), "{seen}");
}

#[test]
fn a_question_shows_the_values_there_are_and_its_end_is_a_missing_input() {
    let world = World::new();
    world.workflow("w", "inputs: [{name: mode, required: true, description: How, validation: {enum: [fast, slow]}}]\nstates:\n  one: {type: step, command: touch ran}\n");
    let mut terminal = Terminal::open(&world, &["run", "w"]);
    terminal.shows("mode (How) [fast | slow]: ");
    terminal.types("\x04");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 1, "{seen}");
    assert!(seen.contains("\nerror[USER.INPUT.MISSING_INPUT]: input `mode` is required"), "{seen}");
    assert!(seen.contains("--input mode="), "{seen}");
    assert!(!world.root().join("ran").exists());
}

#[test]
fn a_terminal_shows_what_is_typed_after_a_question_for_a_secret_was_interrupted() {
    let world = World::new();
    world.workflow("w", "inputs: [{name: key, required: true, secret: true}]\nstates:\n  one: {type: step, command: echo one}\n");
    let mut terminal = Terminal::open(&world, &["run", "w"]);
    terminal.shows("key: ");
    let keyboard = terminal.keyboard.try_clone().unwrap();
    let shown = || tcgetattr(&keyboard).unwrap().local_modes.contains(LocalModes::ECHO);
    assert!(!shown());
    kill_process(Pid::from_child(&terminal.run.0), Signal::INT).unwrap();
    let (code, seen) = terminal.ends();
    assert_eq!(code, 130, "{seen}");
    assert!(shown());
}

#[test]
fn without_a_terminal_nobody_is_asked_and_a_silent_step_shows_life() {
    let world = World::new();
    world.workflow("w", "inputs: [{name: count, required: true}]\nstates:\n  one: {type: step, command: sleep 2.5}\n");
    let output = world.awf(["run", "w"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--input count="), "{output:?}");
    let output = world.awf(["run", "w", "-i", "count=1", "--heartbeat", "1"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("still running: one ("), "{stdout}");
    assert!(!stdout.contains('\x1b'), "{stdout}");
}

#[test]
fn a_reader_that_stalls_stops_neither_the_clock_nor_a_signal() {
    for form in ["text", "json"] {
        let world = World::new();
        world.workflow("w", "states:\n  noisy: {type: step, command: yes, timeout: 500ms}\n");
        let mut command = world.command(["run", "w", "--format", form]);
        // Nobody ever reads from this pipe.
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut run = Running::start(command);
        wait_until("the run to end in spite of it", || {
            let runs = world.awf_json(["history", "-o", "json"]);
            runs["runs"][0]["status"] == "failed"
        });
        kill_process(Pid::from_child(&run.0), Signal::TERM).unwrap();
        assert_eq!(run.0.wait().unwrap().code(), Some(124), "{form}");
    }
}

#[test]
fn somebody_talks_with_an_agent_until_nothing_is_said() {
    let theatre = Theatre::new(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >> argv.txt\nsaid=$(cat)\necho \"{\\\"type\\\":\\\"result\\\",\\\"subtype\\\":\\\"success\\\",\\\"session_id\\\":\\\"s-7\\\",\\\"result\\\":\\\"re: $said\\\",\\\"usage\\\":{\\\"input_tokens\\\":5,\\\"output_tokens\\\":1}}\"\n",
    );
    let text = "name: w\nstates:\n  initial: talk\n  talk: {type: agent, provider: claude, prompt: first, mode: conversation, on_success: done}\n  done: {type: terminal, message: \"last: {{.states.talk.Output}}\"}\n";
    theatre.world.workflow("w", text);
    let mut terminal = Terminal::running(theatre.command(&["run", "w"]));
    terminal.shows("talk (an empty line ends it)> ");
    terminal.types("second\n");
    while terminal.seen.matches("ends it)> ").count() < 2 {
        terminal.shows_more();
    }
    terminal.types("\n");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("last: re: second") && seen.contains("10 tokens in, 2 out"), "{seen}");
    let argv = theatre.read("argv.txt");
    let resumed: Vec<bool> = argv.lines().map(|line| line.contains("--resume s-7")).collect();
    assert_eq!(resumed, [false, true], "{argv}");
}

#[test]
fn a_conversation_needs_somebody() {
    let theatre = Theatre::new("#!/bin/sh\ntouch started\n");
    let ran = theatre
        .run("states:\n  talk: {type: agent, provider: claude, prompt: x, mode: conversation}\n");
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.AGENT.UNUSABLE", "{}", ran.stderr);
    assert!(!theatre.world.root().join("started").exists());
}

#[test]
fn a_server_typed_at_a_terminal_says_whom_it_waits_for() {
    let world = World::new();
    let mut terminal = Terminal::open(&world, &["mcp", "serve"]);
    terminal.shows("waiting for an MCP client on stdin");
    terminal.types("\x04");
    let (code, seen) = terminal.ends();
    assert_eq!(code, 0, "{seen}");
}

#[test]
fn the_page_of_a_run_stays_for_a_person_until_they_end_it() {
    let world = World::new();
    world.workflow("w", "states:\n  a: {type: step, command: exit 4}\n");
    let mut command = world.command(["run", "w", "--open"]);
    // Without a browser the run goes on, and says where its page is.
    command.env("BROWSER", world.beside("no-browser"));
    let mut terminal = Terminal::running(command);
    terminal.shows("warning: no browser was opened");
    terminal.shows("the page stays at http://127.0.0.1:");
    terminal.shows("until Ctrl-C");
    let place = terminal.seen.rsplit("the page stays at http://").next().unwrap();
    let address = place.split('/').next().unwrap().to_owned();
    std::net::TcpStream::connect(&address).unwrap();
    kill_process(Pid::from_child(&terminal.run.0), Signal::INT).unwrap();
    let (code, seen) = terminal.ends();
    assert_eq!(code, 3, "{seen}");
    assert!(std::net::TcpStream::connect(&address).is_err());
}
