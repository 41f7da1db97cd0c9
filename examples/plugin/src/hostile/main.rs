//! A plugin that misbehaves in the one way its first argument names, to test hosts with. Whatever the way, the operation
//! `ok` beside it is sound.

use std::{
    env,
    io::{self, Write as _},
    process::ExitCode,
    thread,
    time::Duration,
};

use awf_plugin_sdk::{Call, Failure, Input, Operation, Plugin, Reply, wire::Handshake};

mod child;
mod garbage;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let plugin = Plugin::new("hostile", env!("CARGO_PKG_VERSION"))
        .operation(Operation::new("ok", |_| Ok(Reply::text("ok"))));
    match mode.as_str() {
        "stray-line" => {
            say(&mut io::stdout(), "2026/01/01 12:00:00 starting up");
            plugin.serve()
        }
        "silent" => rest(),
        "wrong-core" => with_line(plugin, |line| line.to_string().replacen("1|", "2|", 1)),
        "wrong-app" => with_line(plugin, |line| line.to_string().replacen("1|1|", "1|7|", 1)),
        "wrong-cert" => with_line(plugin, another_certificate),
        "no-cert" => with_line(plugin, |line| {
            line.to_string().rsplit_once('|').map_or(String::new(), |(head, _)| format!("{head}|"))
        }),
        "wrong-cookie" => fails(1, "this program is a plugin and is not meant to be run by hand"),
        "dies-at-start" => fails(3, "cannot open the database: no such file"),
        "slow-start" => {
            let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(20);
            thread::sleep(Duration::from_secs(seconds));
            plugin.serve()
        }
        "hang" => plugin.operation(Operation::new("hang", |_| Err(never()))).serve(),
        "crash" => plugin.operation(Operation::new("crash", |_| std::process::abort())).serve(),
        "panic" => plugin.operation(Operation::new("panic", panics)).serve(),
        "big" => plugin.operation(Operation::new("big", big)).serve(),
        "noisy" => plugin.operation(Operation::new("noise", noise).input(bytes())).serve(),
        "garbage" => garbage::serve(plugin),
        "leaves-child" => child::serve(plugin),
        other => fails(2, &format!("`{other}` is no way to misbehave")),
    }
}

fn with_line(plugin: Plugin, line: impl FnOnce(&Handshake) -> String) -> ExitCode {
    plugin.serve_as(line, |routes| routes)
}

/// Sound in itself, but not the one that the server has the key of.
fn another_certificate(handshake: &Handshake) -> String {
    match rcgen::generate_simple_self_signed(["localhost".to_owned()]) {
        Ok(other) => {
            Handshake { certificate: other.cert.der().to_vec(), ..handshake.clone() }.to_string()
        }
        Err(error) => error.to_string(),
    }
}

fn fails(code: u8, why: &str) -> ExitCode {
    say(&mut io::stderr(), why);
    ExitCode::from(code)
}

fn rest() -> ! {
    loop {
        thread::park();
    }
}

fn never() -> Failure {
    rest()
}

#[expect(clippy::panic, reason = "this is how it misbehaves")]
fn panics(_: &Call) -> Result<Reply, Failure> {
    panic!("the handler lost its head")
}

fn bytes() -> Input {
    Input::integer("bytes").description("How much is written or given")
}

fn big(call: &Call) -> Result<Reply, Failure> {
    let bytes: Option<usize> = call.input("bytes")?;
    Ok(Reply::text("x".repeat(bytes.unwrap_or(100_000_000))))
}

/// Lines of 64 bytes to standard error.
fn noise(call: &Call) -> Result<Reply, Failure> {
    let bytes: Option<usize> = call.input("bytes")?;
    let mut left = bytes.unwrap_or(1_000_000_000);
    let block = format!("{}\n", "noise ".repeat(10) + "...").repeat(1024);
    let mut stderr = io::stderr().lock();
    while left > 0 {
        let block = block.as_bytes();
        let piece = block.get(..left.min(block.len())).unwrap_or(block);
        stderr.write_all(piece)?;
        left -= piece.len();
    }
    Ok(Reply::text("quiet again"))
}

fn say(stream: &mut impl io::Write, line: &str) {
    // Nobody is left to be told when this fails.
    writeln!(stream, "{line}").and_then(|()| stream.flush()).ok();
}
