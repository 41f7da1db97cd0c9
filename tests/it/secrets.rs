//! Fifty secrets planted wherever awf is given, told or shown one, and every sink searched for each of them. That a secret
//! is in no sink proves nothing if it never got anywhere: each is first seen to arrive where it was meant to.

use std::{fs, process::Command};

use crate::{openai::files, receiver::Receiver, world::World};

mod looks;
mod ways;

/// The secrets, by the way each of them takes.
#[rustfmt::skip]
const CANARIES: [&str; 50] = [
    // The environment of awf, as the shell of a tool prints it: in the clear and in every form it may take.
    "env plain", "env base64", "env hex", "env in json", "env percent", "env address", "env failing", "env client",
    // Arguments of calls by name and through variants.
    "arg assignment", "arg header", "arg json text", "arg reason", "arg name", "arg key", "arg flag", "arg rest", "arg http", "arg cli",
    // What tools answer.
    "result text", "result structured", "result error", "result refused",
    // What servers are given.
    "server env", "server env key", "server variable", "server variable key", "server args", "server header",
    "server custom header", "server user", "server query", "server path key",
    // What servers say when they die.
    "stderr plain", "stderr base64", "stderr cut", "stdout opening",
    // Plugins.
    "plugin token", "plugin nested", "plugin key",
    // Workflows.
    "input secret", "input base64", "input failing", "input called", "state env", "state env key",
    // Endpoints.
    "endpoint key", "endpoint arguments", "endpoint grant",
    // awf itself.
    "own key", "own config",
];

/// A secret of its own for each way, of 24 letters and digits. Those that only their looks can tell hold nothing else.
fn canary(way: &str) -> String {
    let number = CANARIES.iter().position(|known| *known == way);
    let number = number.unwrap_or_else(|| panic!("no canary takes the way `{way}`"));
    if way == "own key" {
        // What a key of awf looks like.
        return format!("{:064x}", 0xc0ff_ee11_u128 << 90 | 0x1234_5678_9abc);
    }
    let tail = if way.ends_with("key") { "7Kx" } else { "+/?" };
    format!("Cn4ry{number:02}q{:013x}{tail}", (number + 3) * 0x0005_dee6_6c3f)
}

/// Every form a secret may be found in.
fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let percent = bytes.iter().map(|byte| match byte {
        b'+' | b'/' | b'?' => format!("%{byte:02X}"),
        byte => char::from(*byte).to_string(),
    });
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    let mut forms = vec![secret.to_owned(), percent.collect(), hex.to_uppercase(), hex];
    forms.extend((0..3).map(|offset| base64(bytes, offset)));
    forms
}

/// The base64 digits that `bytes` alone decide when they stand `offset` bytes into a group.
fn base64(bytes: &[u8], offset: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<String> = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let bits = bits.concat();
    let bits = &bits[(6 - offset * 8 % 6) % 6..];
    let groups = bits.as_bytes().chunks_exact(6);
    let digit = |bits: &[u8]| {
        let number = usize::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap();
        char::from(DIGITS[number])
    };
    groups.map(digit).collect()
}

/// Where secrets were sent, where they may be seen, and where they may not.
struct Stage {
    world: World,
    otlp: String,
    /// What those saw who may: tools, servers, models, steps.
    arrived: Vec<String>,
    /// What everybody else sees, by its name.
    sinks: Vec<(String, String)>,
}

impl Stage {
    /// awf with spans on, and all it has to say in the log.
    fn awf(&self, words: &[&str]) -> Command {
        let mut command = self.world.by_user(words);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &self.otlp);
        command.args(["--log-level", "debug", "--log-format", "json"]);
        command
    }

    /// Runs it to its end; what it says on stderr is for everybody, what it says on stdout as `stdout` says.
    fn run(&mut self, mut command: Command, stdout: Stdout) -> Option<i32> {
        let name = format!("{:?}", command.get_args().take(3).collect::<Vec<_>>());
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.sinks.push((format!("stderr of {name}"), text(&output.stderr)));
        match stdout {
            Stdout::Answer => self.arrived.push(text(&output.stdout)),
            Stdout::Sink => {
                self.sinks.push((format!("stdout of {name}"), text(&output.stdout)));
            }
        }
        output.status.code()
    }

    /// What was written to a file of a server or a step arrived.
    fn arrived_in(&mut self, file: &str) {
        let path = self.world.beside(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.arrived.push(text);
    }
}

/// Who reads the stdout of a command.
#[derive(Clone, Copy)]
enum Stdout {
    /// It is the answer of a tool.
    Answer,
    Sink,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_planted_secret_is_in_any_sink() {
    let receiver = Receiver::grpc().await;
    let otlp = receiver.endpoint();
    let stage = tokio::task::spawn_blocking(move || {
        let world = World::new();
        let mut stage = Stage { world, otlp, arrived: Vec::new(), sinks: Vec::new() };
        ways::all(&mut stage);
        stage
    });
    let mut stage = stage.await.unwrap();
    let spans = receiver.spans();
    assert!(spans.len() > 30, "only {} spans arrived", spans.len());
    stage.sinks.push(("spans".to_owned(), format!("{spans:?}")));
    for file in files(&stage.world.home()) {
        // The key itself, and conversations with endpoints: docs/security.md says so of both.
        let own = file.ends_with("api-key") || file.to_string_lossy().contains("/agents/openai/");
        if !own {
            let bytes = fs::read(&file).unwrap();
            stage
                .sinks
                .push((file.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    let holds = |text: &str, way: &str| forms(&canary(way)).iter().any(|form| text.contains(form));
    let lost: Vec<&&str> =
        CANARIES.iter().filter(|way| !stage.arrived.iter().any(|text| holds(text, way))).collect();
    assert!(lost.is_empty(), "these never arrived, so nothing is proven of them: {lost:?}");
    let mut found = Vec::new();
    for (name, text) in &stage.sinks {
        for way in CANARIES.iter().filter(|way| holds(text, way)) {
            // The text of a workflow is kept in the journal of its run, as docs/runs.md says.
            if name.contains("/home/runs/") && way.starts_with("state env") {
                continue;
            }
            let at = forms(&canary(way)).iter().find_map(|form| text.find(form.as_str())).unwrap();
            let from = text.floor_char_boundary(at.saturating_sub(80));
            let to = text.ceil_char_boundary((at + 60).min(text.len()));
            found.push(format!("`{way}` is in {name}: …{}…", &text[from..to]));
        }
    }
    assert!(found.is_empty(), "{} places in {} sinks: {found:#?}", found.len(), stage.sinks.len());
    assert!(stage.sinks.len() > 40, "only {} sinks", stage.sinks.len());
}
