//! Servers that others wrote, behind awf: what they list and answer is heard from each directly first, then from every
//! surface of awf, and must be the same to the byte.

mod direct;
mod intent;
mod judge;
mod remote;
mod servers;
mod truth;

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};

use super::{
    ground::{Ground, Place},
    install::{self, Node},
    report::Report,
    speech::{Answer, Asks, Piped},
    web::Served,
};
use direct::{Calls, Direct};
use intent::{Cli, Intent, Rest, Variants};
use remote::Remote;
use servers::Server;
use truth::Truth;

/// A surface of awf, by what reaches it.
const INTENT_STDIO: &str = "the intent surface over stdio";
const INTENT_HTTP: &str = "the intent surface over HTTP";

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    let node = Node::installed(ground)?;
    let python = install::python(ground)?;
    let place = ground.place("upstreams")?;
    let folder = ground.folder("upstreams-files")?;
    let remotes = [Remote::everything(&node)?, Remote::workshop(&python)?];
    let servers = servers::all(&node, &python, &folder, &remotes);
    let truth = servers.iter().map(Truth::heard).collect::<Result<Vec<_>>>()?;
    let config = place.file("upstreams.json");
    let entries: Map<String, Value> =
        servers.iter().map(|server| (server.name.to_owned(), server.entry())).collect();
    let document = json!({"root": place.root(), "mcpServers": entries});
    std::fs::write(&config, document.to_string())?;
    let stand = Stand { ground, place, config, servers, truth };
    stand.direct(report)?;
    let variants = stand.intent_over_stdio(report)?;
    stand.over_http(report, &variants)?;
    stand.each("awf call", report, &mut Cli { stand: &stand, variants: &variants });
    drop(remotes);
    report.add("nothing is left", stand.nothing_left(&node));
    Ok(())
}

/// awf before its servers, and what these say themselves.
struct Stand<'a> {
    ground: &'a Ground,
    place: Place,
    config: std::path::PathBuf,
    servers: Vec<Server>,
    truth: Vec<Truth>,
}

impl Stand<'_> {
    fn awf(&self, words: &[&str]) -> std::process::Command {
        let mut awf = self.place.command(self.ground.awf());
        awf.args(words).arg("--config").arg(&self.config);
        awf
    }

    fn known(&self) -> impl Iterator<Item = (&Server, &Truth)> {
        self.servers.iter().zip(&self.truth)
    }

    /// Every call of every server.
    fn each(&self, surface: &str, report: &mut Report, calls: &mut dyn Calls) {
        for (server, truth) in self.known() {
            let name = format!("{surface}: {} of {} answer", truth.calls.len(), server.name);
            report.check(&name, || truth.judge(server, calls));
        }
    }

    fn direct(&self, report: &mut Report) -> Result<()> {
        let mut session = Piped::open(self.awf(&["mcp-serve"]))?;
        let listed = session.list()?;
        for (server, truth) in self.known() {
            let name = format!("direct: {} of {} are listed", truth.tools.len(), server.name);
            report.check(&name, || direct::judge_list(&listed, server, truth));
        }
        self.each("direct", report, &mut Direct(&mut session));
        session.close()
    }

    fn intent_over_stdio(&self, report: &mut Report) -> Result<Variants> {
        let mut session = Piped::open(self.awf(&["mcp", "serve"]))?;
        let variants = self.intent(INTENT_STDIO, report, &mut session);
        session.close()?;
        Ok(variants)
    }

    fn over_http(&self, report: &mut Report, variants: &Variants) -> Result<()> {
        let served = Served::start(&self.place, self.awf(&["serve", "--listen", "127.0.0.1:0"]))?;
        self.intent(INTENT_HTTP, report, &mut served.session()?);
        self.each("REST", report, &mut Rest { served: &served, variants });
        served.close()
    }

    /// Finds every tool, then calls it by the variant it was found with.
    fn intent(&self, surface: &str, report: &mut Report, session: &mut dyn Asks) -> Variants {
        let mut variants = Variants::default();
        for (server, truth) in self.known() {
            let name = format!("{surface}: {} of {} are found", truth.tools.len(), server.name);
            report.check(&name, || intent::find(session, server, truth, &mut variants));
        }
        self.each(surface, report, &mut Intent { session, variants: &variants });
        variants
    }

    /// No process of a server that awf started, nor of awf.
    fn nothing_left(&self, node: &Node) -> Result<()> {
        let traces = [self.config.clone(), node.module("@modelcontextprotocol/server-everything")];
        for entry in std::fs::read_dir("/proc")? {
            let line = std::fs::read(entry?.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let ours = traces.iter().any(|trace| line.contains(&*trace.to_string_lossy()));
            ensure!(!ours, "`{line}` is still there");
        }
        Ok(())
    }
}

/// The result, or what was said instead.
fn result_of(answer: Answer) -> Result<String> {
    match answer {
        Answer::Result(result) => Ok(result),
        Answer::Error(message) => anyhow::bail!("an error instead of a result: {message}"),
    }
}
