//! The house rules of awf, as commands: `cargo xtask arch | tidy | ci | bench | peers | soak`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "xtask is a developer's tool: its output is its purpose"
)]

mod arch;
mod bench;
mod ci;
mod client;
mod command;
mod floor;
mod lines;
mod mutants;
mod numbers;
mod peers;
mod retrieval;
mod rust_source;
mod soak;
mod tidy;
mod tree;
mod violation;
mod watchdog;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask <command>
  arch    hold every dependency against arch-rules.toml
  tidy    sizes, module docs, names, manifests, codes against docs
  ci      everything the build server runs, in its order
  bench   awf against the least any program must do, as ratios; --quick for fewer rounds; `bench retrieval` and `bench gateway` for one section
  peers   programs that others wrote against awf; names pick some of them, like `agents:claude` (needs npm, python3, rg, fd, unshare)
  soak    the random trials in large numbers, signals to real agents, and the mutants; names pick some of them
  mutants one damage to the code per requirement, and the test that turns red from it; ids pick some of them";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        ["arch"] => arch::run(),
        ["tidy"] => tidy::run(),
        ["ci"] => ci::run(),
        ["bench", options @ ..] => bench::run(options),
        ["peers", names @ ..] => peers::run(names),
        ["soak", names @ ..] => soak::run(names),
        ["mutants", ids @ ..] => mutants::run(ids),
        ["floor", floor @ ..] => floor::run(floor),
        ["agent-trial", file] => peers::agents::play(file),
        _ => bail!("{USAGE}"),
    }
}
