//! Scripted servers for a world: what they are told to do, and what reached them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Map, Value, json};

use crate::{
    server::Server,
    world::{World, program},
};

/// The scripted server of `awf-mcp`. It is built with the workspace; where only this package was built, it is built now.
pub(crate) fn upstream() -> PathBuf {
    let awf = Path::new(env!("CARGO_BIN_EXE_awf"));
    let binary = awf.with_file_name("examples").join("upstream");
    if !binary.exists() {
        let mut build = program(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "awf-mcp", "--example", "upstream"]);
        let folder = awf.parent().and_then(Path::parent).unwrap();
        build.arg("--target-dir").arg(folder).current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().unwrap().success(), "the scripted server cannot be built");
    }
    binary
}

/// A server that does what its script says, and counts.
pub(crate) struct Upstream {
    pub(crate) name: String,
    folder: PathBuf,
}

impl Upstream {
    /// With the script `script`, a JSON object as text so that every byte of it is the test's. `FOLDER` in it is a folder
    /// of its own; where it counts is filled in.
    pub(crate) fn new(world: &World, name: &str, script: &str) -> Self {
        let folder = world.beside(&format!("upstream-{name}"));
        fs::create_dir_all(&folder).unwrap();
        let upstream = Self { name: name.to_owned(), folder };
        upstream.rewrite(script);
        upstream
    }

    /// With these tools, each echoing.
    pub(crate) fn of_tools(world: &World, name: &str, tools: &[&str]) -> Self {
        Self::new(world, name, &format!(r#"{{"stages":[{{"tools":[{}]}}]}}"#, tools.join(",")))
    }

    /// Another script from its next start on.
    pub(crate) fn rewrite(&self, script: &str) {
        let (count, answers) = (json!(self.file("count")), json!(self.file("answers")));
        let rest = script.trim_start().strip_prefix('{').unwrap();
        let folder = self.folder.to_str().unwrap();
        let text = format!(r#"{{"count":{count},"answers":{answers},{rest}"#);
        fs::write(self.file("script.json"), text.replace("FOLDER", folder)).unwrap();
    }

    /// A file of its folder, such as one that brings on the next stage.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What a configuration says of it.
    pub(crate) fn entry(&self) -> Value {
        json!({"command": upstream(), "args": [self.file("script.json")]})
    }

    /// The same, behind a shell that notes every start.
    pub(crate) fn noting_entry(&self) -> Value {
        let noting = "echo up >> \"$0\"; exec \"$@\"";
        let words = json!([self.file("starts"), upstream(), self.file("script.json")]);
        let words = words.as_array().unwrap();
        let args: Vec<Value> =
            [json!("-c"), json!(noting)].into_iter().chain(words.clone()).collect();
        json!({"command": "sh", "args": args})
    }

    /// How often it was started, by its [`noting_entry`](Self::noting_entry).
    pub(crate) fn starts(&self) -> usize {
        fs::read_to_string(self.file("starts")).unwrap_or_default().lines().count()
    }

    /// The calls that reached it: tool and arguments, as they came.
    pub(crate) fn calls(&self) -> Vec<(String, String)> {
        let counted = fs::read_to_string(self.file("count")).unwrap_or_default();
        let calls = counted.lines().filter_map(|line| line.strip_prefix("call\t"));
        let words = calls.map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        words.map(|words| (words[0].clone(), words[1].clone())).collect()
    }

    /// How often it was asked for a page of its tools.
    pub(crate) fn lists(&self) -> usize {
        let counted = fs::read_to_string(self.file("count")).unwrap_or_default();
        counted.lines().filter(|line| line.starts_with("list\t")).count()
    }

    /// What the client answered when it was asked.
    pub(crate) fn answers(&self) -> Vec<String> {
        let answers = fs::read_to_string(self.file("answers")).unwrap_or_default();
        answers.lines().map(str::to_owned).collect()
    }
}

/// A configuration with these servers and these further keys.
pub(crate) fn settings(upstreams: &[&Upstream], further: &Value) -> Value {
    let servers: Map<String, Value> =
        upstreams.iter().map(|upstream| (upstream.name.clone(), upstream.entry())).collect();
    let mut settings = further.clone();
    settings["mcpServers"] = Value::Object(servers);
    settings
}

impl World {
    /// Writes the user's own configuration, for [`by_user`](Self::by_user).
    pub(crate) fn write_user(&self, settings: &Value) {
        fs::create_dir_all(self.beside("user")).unwrap();
        fs::write(self.beside("user/config.yaml"), settings.to_string()).unwrap();
    }

    /// The built binary, with a user's configuration of this world.
    pub(crate) fn by_user(&self, words: &[&str]) -> Command {
        let mut command = self.command(words);
        command.env("AWF_CONFIG_HOME", self.beside("user"));
        command
    }

    /// `awf mcp serve` over these servers, the handshake done.
    pub(crate) fn gateway(&self, upstreams: &[&Upstream], further: &Value) -> Server {
        let config = self.config(settings(upstreams, further));
        let mut server =
            Server::start(self.command(["mcp", "serve", "--config", config.to_str().unwrap()]));
        server.handshake();
        server
    }
}

/// A tool's JSON: name, and `annotations` if there are any.
pub(crate) fn tool(name: &str, annotations: &str) -> String {
    let annotations = match annotations {
        "-" => String::new(),
        given => format!(r#","annotations":{given}"#),
    };
    format!(
        r#"{{"name":"{name}","description":"{name} of a test","inputSchema":{{"type":"object"}}{annotations}}}"#
    )
}

/// The arguments of a variant for a call that is in order: `args` as JSON text.
pub(crate) fn in_order(variant: &str, name: &str, args: &str) -> String {
    let word = variant.trim_start_matches("call_tool_");
    format!(r#"{{"name":"{name}","args":{args},"intent":{{"operation_type":"{word}"}}}}"#)
}

impl Server {
    /// Calls a tool through a variant, in good order.
    pub(crate) fn through(&mut self, variant: &str, name: &str, args: &Value) -> Value {
        let arguments = in_order(variant, name, &args.to_string());
        self.call(variant, &serde_json::from_str(&arguments).unwrap())
    }
}

/// The code of a refusal.
pub(crate) fn code(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["structuredContent"]["code"].as_str().unwrap_or_else(|| panic!("no code in {result}"))
}
