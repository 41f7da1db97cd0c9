//! `cargo xtask bench`: what awf costs, as ratios to the least any program must do.
//!
//! Plain times say more about the machine than about awf, so each figure is measured beside its floor, in alternating
//! rounds of one run, and only the ratio is judged. It never fails for being slow: a timing is not a test.

mod calls;
mod corpus;
mod figure;
mod memory;
mod plugin;
mod quiet;
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

pub(crate) fn run(options: &[&str]) -> Result<()> {
    let scale = match options {
        [] => Scale::FULL,
        ["--quick"] => Scale::QUICK,
        _ => bail!("usage: cargo xtask bench [--quick]"),
    };
    // The client and the floors are part of the measurement, so they run optimised too.
    if cfg!(debug_assertions) { run_optimised(options) } else { measure(scale) }
}

fn run_optimised(options: &[&str]) -> Result<()> {
    let packages = ["awf", "awf-plugin-example", "xtask"];
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let mut build = cargo(&["build", "--release", "--locked"]);
    build.args(packages);
    succeed(build)?;
    let floor = ["build", "--release", "--locked", "--package", "awf-plugins", "--example"];
    succeed(cargo(&[floor.as_slice(), &["direct_call"]].concat()))?;
    let mut bench = command(crate::tree::root().join("target/release/xtask"));
    bench.arg("bench").args(options);
    succeed(bench)
}

type Section = fn(&Setting) -> Result<Vec<Figure>>;

fn measure(scale: Scale) -> Result<()> {
    let setting = Setting::new(scale)?;
    let _awake = quiet::Awake::start(&setting)?;
    println!("{} rounds; load {} at the start", setting.scale.rounds, quiet::load());
    println!("{}", Figure::HEADER);
    let sections: [Section; 8] = [
        calls::trivial,
        calls::read,
        search::figures,
        shell::figures,
        steps::figures,
        start::figures,
        plugin::figures,
        memory::figures,
    ];
    for section in sections {
        for figure in section(&setting)? {
            println!("{figure}");
        }
    }
    setting.prove_the_journal_was_on()
}
