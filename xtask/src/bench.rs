//! `cargo xtask bench`: what awf costs, as ratios to the least any program must do.
//!
//! Plain times say more about the machine than about awf, so each figure is measured beside its floor, in alternating
//! rounds of one run, and only the ratio is judged. It never fails for being slow: a timing is not a test.

mod activity;
mod calls;
mod corpus;
mod figure;
mod gateway;
mod memory;
mod plugin;
mod quiet;
mod retrieval;
mod rounds;
mod search;
mod setting;
mod shell;
mod start;
mod steps;

use anyhow::{Result, bail};

use crate::command::{cargo, command, succeed};
use figure::Figure;
use setting::{Scale, Setting};

/// Every section, by the name that picks it, in the order they are shown.
const SECTIONS: [(&str, Section); 11] = [
    ("calls", calls::trivial),
    ("reads", calls::read),
    ("search", search::figures),
    ("shell", shell::figures),
    ("steps", steps::figures),
    ("start", start::figures),
    ("plugin", plugin::figures),
    ("gateway", gateway::figures),
    ("retrieval", retrieval::figures),
    ("activity", activity::figures),
    ("memory", memory::figures),
];

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let known = |word: &&str| SECTIONS.iter().any(|(name, _)| name == word);
    let (quick, names): (Vec<&str>, Vec<&str>) =
        options.iter().copied().partition(|option| *option == "--quick");
    if let Some(stranger) = names.iter().find(|name| !known(name)) {
        let sections = SECTIONS.map(|(name, _)| name).join(" | ");
        bail!("`{stranger}` is no section\nusage: cargo xtask bench [--quick] [{sections}]…");
    }
    let scale = if quick.is_empty() { Scale::FULL } else { Scale::QUICK };
    // The client and the floors are part of the measurement, so they run optimised too.
    if cfg!(debug_assertions) { run_optimised(options) } else { measure(scale, &names) }
}

fn run_optimised(options: &[&str]) -> Result<()> {
    let packages = ["awf", "awf-plugin-example", "xtask"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let mut build = cargo(&["build", "--release", "--locked"]);
    build.args(packages);
    succeed(build)?;
    for (package, example) in [("awf-plugins", "direct_call"), ("awf-store", "activity_queries")] {
        let build = ["build", "--release", "--locked", "--package", package, "--example", example];
        succeed(cargo(&build))?;
    }
    let mut bench = command(crate::tree::root().join("target/release/xtask"));
    bench.arg("bench").args(options);
    succeed(bench)
}

type Section = fn(&Setting) -> Result<Vec<Figure>>;

fn measure(scale: Scale, names: &[&str]) -> Result<()> {
    let setting = Setting::new(scale)?;
    let _awake = quiet::Awake::start(&setting)?;
    println!("{} rounds; load {} at the start", setting.scale.rounds, quiet::load());
    println!("{}", Figure::HEADER);
    let picked = |name: &str| names.is_empty() || names.contains(&name);
    for (_, section) in SECTIONS.iter().filter(|(name, _)| picked(name)) {
        for figure in section(&setting)? {
            println!("{figure}");
        }
    }
    setting.prove_the_journal_was_on()
}
