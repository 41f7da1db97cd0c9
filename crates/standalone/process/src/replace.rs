//! Becoming another program: for a last act that is meant to outlive us, such as a browser. No child is left behind, for
//! there is none.

use std::{convert::Infallible, env, io};

use crate::{command::CommandSpec, error::SpawnError, server::words_of};

/// Turns this process into `spec`. Comes back only when that cannot be done.
pub fn replace(spec: CommandSpec) -> SpawnError {
    let program = spec.program.clone();
    if let Err(error) = spec.check() {
        return error;
    }
    match enter(spec) {
        Ok(never) => match never {},
        Err(source) => SpawnError::Program { program, source },
    }
}

fn enter(spec: CommandSpec) -> io::Result<Infallible> {
    env::set_current_dir(&spec.cwd)?;
    let words = words_of(spec)?;
    Ok(nix::unistd::execve(&words.program, &words.args, &words.env)?)
}
