//! `cargo xtask peers`: programs that others wrote, against awf. What needs Node, Python, a browser or an installed `rg` is here and
//! not in `cargo test`, which needs only Rust.

pub(crate) mod agents;
mod conformance;
mod expected;
mod gopher;
mod ground;
mod inspector;
mod install;
mod page;
mod python;
mod report;
mod scaffold;
mod schemathesis;
mod search;
mod speech;
mod upstreams;
mod web;

use anyhow::{Result, bail};

use ground::Ground;
use report::Report;

struct Peer {
    name: &'static str,
    check: fn(&Ground, &mut Report) -> Result<()>,
}

const PEERS: [Peer; 12] = [
    Peer { name: "python", check: python::check },
    Peer { name: "inspector", check: inspector::check },
    Peer { name: "conformance", check: conformance::check_stable },
    Peer { name: "conformance-next", check: conformance::check_next },
    Peer { name: "search", check: search::check },
    Peer { name: "scaffold", check: scaffold::check },
    Peer { name: "gopher", check: gopher::check },
    Peer { name: "upstreams", check: upstreams::check },
    Peer { name: "web", check: web::check },
    Peer { name: "page", check: page::check },
    Peer { name: "schemathesis", check: schemathesis::check },
    Peer { name: "agents", check: agents::check },
];

/// Runs the peers with these names, or all if there are none. `agents:claude` is one part of a peer.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let parts: Vec<_> = words.iter().filter_map(|word| Some(word.split_once(':')?.1)).collect();
    let names: Vec<_> = words.iter().filter_map(|word| word.split(':').next()).collect();
    if let Some(unknown) = names.iter().find(|name| PEERS.iter().all(|peer| peer.name != **name)) {
        let known = PEERS.map(|peer| peer.name).join(", ");
        bail!("there is no peer `{unknown}`; there are {known}");
    }
    let ground = Ground::prepare(&parts)?;
    let mut report = Report::default();
    for peer in PEERS.iter().filter(|peer| names.is_empty() || names.contains(&peer.name)) {
        report.open(peer.name);
        if let Err(error) = (peer.check)(&ground, &mut report) {
            report.add("is ready", Err(error));
        }
    }
    report.close()
}
