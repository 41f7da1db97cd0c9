//! Starting one command inside the guard.
//!
//! By `posix_spawn`, which borrows the guard's memory instead of copying it: a fork costs more than the rest of what the
//! guard does for a command.

use std::{
    collections::BTreeMap,
    env,
    ffi::{CString, OsStr, OsString},
    fs::{self, File},
    io,
    os::{
        fd::{AsRawFd as _, OwnedFd},
        unix::{ffi::OsStrExt as _, ffi::OsStringExt as _},
    },
    path::PathBuf,
};

use nix::{
    spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn},
    sys::signal::{SigSet, Signal},
};
use rustix::{io::Errno, process::Pid};

use crate::{
    command::CommandSpec,
    wire::{Fault, Launch},
};

/// `POSIX_SPAWN_SETSID` of both glibc and musl, which nix does not name.
const OWN_SESSION: PosixSpawnFlags = PosixSpawnFlags::from_bits_retain(0x80);

/// Starts the command as leader of a session of its own. On failure: what could not be used, and the errno.
pub(super) fn start(launch: Launch, descriptors: &[OwnedFd]) -> Result<Pid, (Fault, i32)> {
    if descriptors.len() != launch.given.iter().filter(|given| **given).count() {
        // The kernel cuts the batch when the guard may open no more files.
        return Err((Fault::Program, Errno::MFILE.raw_os_error()));
    }
    // The guard has one thread and no directory of its own, so it goes where the command is to begin.
    env::set_current_dir(&launch.spec.cwd)
        .map_err(|error| (Fault::WorkingDirectory, errno(&error)))?;
    let started = spawn(launch, descriptors);
    // Nobody's file system is kept busy by a guard that stands in it. The root is always there.
    drop(env::set_current_dir("/"));
    started.map_err(|error| (Fault::Program, errno(&error)))
}

fn spawn(launch: Launch, descriptors: &[OwnedFd]) -> io::Result<Pid> {
    let Launch { spec, given, .. } = launch;
    let nothing = File::open("/dev/null")?;
    let mut actions = PosixSpawnFileActions::init()?;
    let mut next = descriptors.iter().map(OwnedFd::as_raw_fd);
    for (stream, given) in (0..).zip(given) {
        let source = given.then(|| next.next()).flatten().unwrap_or_else(|| nothing.as_raw_fd());
        actions.add_dup2(source, stream)?;
    }
    let Words { program, args, env } = words_of(spec)?;
    let pid = posix_spawn(program.as_c_str(), &actions, &attributes()?, &args, &env)?;
    Pid::from_raw(pid.as_raw()).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// A command as the system takes it.
pub(crate) struct Words {
    pub(crate) program: CString,
    pub(crate) args: Vec<CString>,
    pub(crate) env: Vec<CString>,
}

pub(crate) fn words_of(spec: CommandSpec) -> io::Result<Words> {
    // Of a variable given twice the last one counts.
    let env: BTreeMap<OsString, OsString> = spec.env.into_iter().collect();
    let program = find(&spec.program, env.get(OsStr::new("PATH")))?;
    let args = [spec.program].into_iter().chain(spec.args).map(text);
    let env = env.into_iter().map(|(name, value)| text(joined(name, &value)));
    Ok(Words {
        program: text(program.into_os_string())?,
        args: args.collect::<io::Result<_>>()?,
        env: env.collect::<io::Result<_>>()?,
    })
}

/// A session of its own, and signals as any program expects them: none blocked, a broken pipe ends it.
fn attributes() -> io::Result<PosixSpawnAttr> {
    let mut attributes = PosixSpawnAttr::init()?;
    let signals = PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK;
    attributes.set_flags(OWN_SESSION | signals)?;
    attributes.set_sigdefault(&SigSet::from_iter([Signal::SIGPIPE]))?;
    attributes.set_sigmask(&SigSet::empty())?;
    Ok(attributes)
}

/// A path as it is; a name in the `PATH` the command will have.
fn find(program: &OsStr, path: Option<&OsString>) -> io::Result<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Ok(program.into());
    }
    let folders = path.into_iter().flat_map(env::split_paths);
    let mut paths = folders.map(|folder| folder.join(program));
    paths.find(|path| fs::exists(path).unwrap_or(false)).ok_or_else(|| Errno::NOENT.into())
}

fn joined(mut name: OsString, value: &OsStr) -> OsString {
    name.push("=");
    name.push(value);
    name
}

fn text(word: OsString) -> io::Result<CString> {
    CString::new(word.into_vec()).map_err(|_| Errno::INVAL.into())
}

fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::INVAL.raw_os_error())
}
