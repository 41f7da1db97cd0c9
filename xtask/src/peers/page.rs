//! The page in a real browser: Debian's Chromium, driven by playwright-core. Pictures of every page are left in
//! `target/peers/page`, to be looked at.

use std::fs;

use anyhow::{Context as _, Result};

use super::{
    ground::{Ground, scripts},
    install::Node,
    python,
    report::Report,
    web::Served,
};

const BROWSER: &str = "/usr/bin/chromium";

pub(crate) fn check(ground: &Ground, report: &mut Report) -> Result<()> {
    fs::metadata(BROWSER)
        .with_context(|| format!("{BROWSER} is not there (Debian: `apt-get install chromium`)"))?;
    let node = Node::installed(ground)?;
    let place = ground.place("page")?;
    fs::write(place.root().join("notes.txt"), "a note\n")?;
    let mut serve = place.command(ground.awf());
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::start(&place, serve)?;
    let script = scripts().join("page.mjs");
    let mut checks = 0;
    for name in ["page.mjs", "page_runs.mjs"] {
        let text = fs::read_to_string(scripts().join(name))?;
        checks += text.lines().filter(|line| is_check(line)).count();
    }
    let mut browse = node.run(&script);
    browse
        .arg(ground.tools().join("page"))
        .envs(place.environment())
        .current_dir(place.root())
        .env("AWF", ground.awf())
        .env("ADDRESS", served.authority())
        .env("KEY", served.key())
        .env("CHROMIUM", BROWSER)
        .env("PLAYWRIGHT", node.module("playwright-core/index.mjs"));
    python::judge("chromium", checks, browse, report)?;
    served.close()
}

/// A line of the script's list of checks: a script that ends early must not pass.
fn is_check(line: &str) -> bool {
    line.strip_prefix("  ").and_then(|line| line.strip_suffix(',')).is_some_and(|name| {
        name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    })
}
