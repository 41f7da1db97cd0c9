//! A plugin written in Go on the original go-plugin, as Debian packages it, against awf's host: its steps, its tool, its
//! step type and its validator, and what is left of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{
    ground::{Ground, Place, scripts},
    report::Report,
};
use crate::{
    command::{command, output_within, succeed},
    tree,
};

const PATIENCE: Duration = Duration::from_mins(1);
/// Where Debian puts the sources of Go libraries.
const LIBRARIES: &str = "/usr/share/gocode";

const WORKFLOW: &str = "name: gophers
inputs: [{name: depth, type: integer, default: 3}]
states:
  initial: shout
  shout:
    type: operation
    operation: gopher.shout
    inputs: {text: 'a \"b\" $(c)', times: 2}
    on_success: dig
  dig:
    type: gopher.dig
    config: {where: here}
    on_success: ask
  ask:
    type: agent
    provider: scripted:turns.yaml
    prompt: shout
    mcp_proxy:
      enable: true
      intercept_builtins: false
      plugin_tools: [{plugin: gopher, expose: [shout]}]
    on_success: end
  end:
    type: terminal
    message: '{{.states.shout.Output}} / {{.states.dig.Output}}'
";

const TURNS: &str = "turns:
  - {call: gopher_shout, arguments: {text: quiet}, expect: {contains: QUIET}}
  - {say: done}
";

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let gopher = build(ground)?;
    let place = ground.place("gopher")?;
    let project = place.root();
    let files = [
        (".awf/workflows/gophers.yaml", WORKFLOW.to_owned()),
        ("turns.yaml", TURNS.to_owned()),
        (".awf/plugins.yaml", declared(&gopher)),
    ];
    for (path, text) in files {
        let path = project.join(path);
        fs::create_dir_all(path.parent().context("a folder")?)?;
        fs::write(path, text)?;
    }
    report.check("locks what it offers", || locks(&place));
    report.check("takes steps, is a tool, and ends", || runs(&place));
    report.check("is asked by awf validate", || validates(&place));
    report.add("leaves nothing behind", nothing_left(&gopher));
    Ok(())
}

fn declared(gopher: &Path) -> String {
    let plugin = json!({ "name": "gopher", "path": gopher, "config": {"mark": "!"} });
    json!({ "plugins": [plugin] }).to_string()
}

/// The plugin, from the protocol file that awf has, less what only awf knows.
fn build(ground: &Ground) -> Result<PathBuf> {
    let work = ground.folder("gopher-src")?;
    let package = work.join("src/gopher");
    let stubs = package.join("pluginv1");
    fs::create_dir_all(&stubs)?;
    let protocol = tree::root().join("crates/standalone/plugin-sdk/proto/plugin.proto");
    let protocol = fs::read_to_string(protocol).context("read the protocol file")?;
    let known = protocol.lines().filter(|line| !line.contains("= 100;"));
    let known: Vec<String> = known.map(|line| line.replace("optional ", "")).collect();
    fs::write(package.join("plugin.proto"), known.join("\n"))?;
    fs::copy(scripts().join("gopher/main.go"), package.join("main.go"))?;
    let mut protoc = command("protoc");
    protoc.current_dir(&package).arg("-I.").arg("plugin.proto");
    protoc.arg("--go_out=plugins=grpc,Mplugin.proto=pluginv1:pluginv1");
    let advice = "Debian: `apt-get install golang-go golang-github-hashicorp-go-plugin-dev golang-google-grpc-dev protobuf-compiler protoc-gen-go-1-3`";
    succeed(protoc).context(advice)?;
    let binary = work.join("awf-plugin-gopher");
    let mut go = command("go");
    go.current_dir(&package).args(["build", "-o"]).arg(&binary).arg("gopher");
    go.env("GO111MODULE", "off").env("GOPATH", format!("{}:{LIBRARIES}", work.display()));
    go.env("GOCACHE", ground.tools().join("go-cache")).env("GOFLAGS", "");
    succeed(go).context(advice)?;
    Ok(binary)
}

fn awf(place: &Place, args: &[&str]) -> Result<Output> {
    let [awf, ..] = place.server();
    let mut command = place.command(awf);
    command.args(args);
    output_within(PATIENCE, command)
}

fn succeeded(output: &Output) -> Result<String> {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {stdout}{stderr}", output.status);
    }
    Ok(stdout)
}

fn locks(place: &Place) -> Result<()> {
    succeeded(&awf(place, &["plugin", "lock"])?)?;
    let listed = succeeded(&awf(place, &["plugin", "list", "--operations", "-o", "json"])?)?;
    let listed: Value = serde_json::from_str(&listed)?;
    let names: Vec<&str> =
        listed.as_array().into_iter().flatten().filter_map(|row| row["name"].as_str()).collect();
    ensure!(names.contains(&"gopher.shout") && names.contains(&"gopher.dig"), "{names:?}");
    succeeded(&awf(place, &["plugin", "verify"])?)?;
    Ok(())
}

fn runs(place: &Place) -> Result<()> {
    let told = succeeded(&awf(place, &["run", "gophers", "--format", "json"])?)?;
    let end: Value = serde_json::from_str(told.lines().last().context("an end")?)?;
    let wanted = r#"A "B" $(C)A "B" $(C)"!" / dig dug {"where":"here"}"#;
    ensure!(end["message"] == wanted, "{end}");
    let records = succeeded(&awf(place, &["activity", "list", "-o", "json"])?)?;
    let records: Value = serde_json::from_str(&records)?;
    let record = &records["activities"][0];
    ensure!(record["server_name"] == "gopher" && record["status"] == "success", "{record}");
    Ok(())
}

fn validates(place: &Place) -> Result<()> {
    let told = awf(place, &["validate", "--with-plugins", "--format", "json"])?;
    let told: Value = serde_json::from_slice(&told.stdout)?;
    let found = told["diagnostics"].as_array().context("findings")?;
    let seen = |finding: &Value| {
        finding["message"].as_str().is_some_and(|message| message.contains("seen gophers"))
    };
    ensure!(found.iter().any(seen), "{told}");
    Ok(())
}

/// No process runs the plugin's binary.
fn nothing_left(gopher: &Path) -> Result<()> {
    for entry in fs::read_dir("/proc")? {
        let exe = fs::read_link(entry?.path().join("exe"));
        ensure!(exe.ok().as_deref() != Some(gopher), "a plugin is still there");
    }
    Ok(())
}
