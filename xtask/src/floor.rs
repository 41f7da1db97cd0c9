//! `xtask floor …`: the least that any program must do for an answer. `bench` starts these beside awf and divides.

mod crowd;
mod relay;
mod server;

use std::{fs::File, io, os::fd::AsFd, path::Path};

use anyhow::{Result, bail};

use crate::retrieval;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["echo"] => server::echo(stdin()?, stdout()?),
        ["crowd", count] => server::echo_among(&crowd::list(count.parse()?), stdin()?, stdout()?),
        ["invented", name] => server::echo_among(&retrieval::list_of(name)?, stdin()?, stdout()?),
        ["reader", path] => server::reader(Path::new(path), stdin()?, stdout()?),
        ["relay"] => relay::relay(stdin()?, stdout()?),
        ["spin"] => {
            spin();
            Ok(())
        }
        _ => bail!(
            "usage: xtask floor echo | crowd <tools> | invented <server> | reader <file> | relay | spin"
        ),
    }
}

/// Without std's line buffer and lock.
fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

fn stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Keeps a core from halting, until the parent is gone.
fn spin() {
    let parent = std::os::unix::process::parent_id();
    while std::os::unix::process::parent_id() == parent {
        for _ in 0..100_000 {
            std::hint::spin_loop();
        }
    }
}
