//! Starting one command inside the guard.

use std::{
    fs, io,
    os::fd::OwnedFd,
    process::{Command, Stdio},
};

use process_wrap::std::{CommandWrap, ProcessSession};
use rustix::{io::Errno, process::Pid};

use crate::wire::{Fault, Launch};

/// Starts the command as leader of a session of its own. On failure: what could not be used, and the errno.
pub(super) fn start(launch: Launch, descriptors: Vec<OwnedFd>) -> Result<Pid, (Fault, i32)> {
    if descriptors.len() != launch.given.iter().filter(|given| **given).count() {
        // The kernel cuts the batch when the guard may open no more files.
        return Err((Fault::Program, Errno::MFILE.raw_os_error()));
    }
    let cwd = launch.spec.cwd.clone();
    spawn(launch, descriptors).map_err(|error| match fs::metadata(&cwd) {
        // Both a missing program and a missing directory are ENOENT of one and the same call.
        Err(problem) => (Fault::WorkingDirectory, errno(&problem)),
        Ok(metadata) if !metadata.is_dir() => {
            (Fault::WorkingDirectory, Errno::NOTDIR.raw_os_error())
        }
        Ok(_) => (Fault::Program, errno(&error)),
    })
}

#[expect(clippy::disallowed_methods, reason = "this is where every child is started")]
fn spawn(launch: Launch, descriptors: Vec<OwnedFd>) -> io::Result<Pid> {
    let mut descriptors = descriptors.into_iter();
    let [stdin, stdout, stderr] = launch.given.map(|given| {
        given.then(|| descriptors.next()).flatten().map_or_else(Stdio::null, Stdio::from)
    });
    let mut command = Command::new(launch.spec.program);
    command.args(launch.spec.args).env_clear().envs(launch.spec.env).current_dir(launch.spec.cwd);
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    let child = CommandWrap::from(command).wrap(ProcessSession).spawn()?;
    // The handle is dropped unwaited: the guard reaps by itself.
    Pid::from_raw(child.id().cast_signed()).ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::INVAL.raw_os_error())
}
