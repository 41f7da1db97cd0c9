//! Which files a session removes, and which it leaves alone.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use super::{KEPT, Logs};

const HOUR: Duration = Duration::from_hours(1);

/// A file that was last written so long ago.
fn aged(dir: &Path, name: &str, age: Duration) -> File {
    let file = File::create(dir.join(name)).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
    file
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_session_removes_its_own_files_and_makes_no_more() {
    let dir = TempDir::new().unwrap();
    aged(dir.path(), "bash-00000000000000aa.log", Duration::ZERO);
    let logs = Logs::new(dir.path().to_owned());
    let made = [logs.create().unwrap().0, logs.create().unwrap().0];
    assert!(made.iter().all(|path| path.exists()));
    logs.remove();
    assert_eq!(names(dir.path()), ["bash-00000000000000aa.log"]);
    assert_eq!(logs.create().unwrap_err().to_string(), "the session is closed");
    logs.remove();
}

#[test]
fn the_first_file_of_a_session_sweeps_what_killed_sessions_left() {
    let dir = TempDir::new().unwrap();
    let old = KEPT + HOUR;
    aged(dir.path(), "bash-00000000000000aa.log", old);
    aged(dir.path(), "bash-00000000000000bb.log", KEPT.checked_sub(HOUR).unwrap());
    for other in ["bash-aa.log", "bash-00000000000000gg.log", "bash-00000000000000aa.txt"] {
        aged(dir.path(), other, old);
    }
    let living = aged(dir.path(), "bash-00000000000000cc.log", old);
    flock(&living, FlockOperation::LockShared).unwrap();

    let logs = Logs::new(dir.path().to_owned());
    logs.create().unwrap();
    aged(dir.path(), "bash-00000000000000dd.log", old);
    logs.create().unwrap();
    logs.remove();
    let left = [
        "bash-00000000000000aa.txt",
        "bash-00000000000000bb.log",
        "bash-00000000000000cc.log",
        "bash-00000000000000dd.log",
        "bash-00000000000000gg.log",
        "bash-aa.log",
    ];
    assert_eq!(names(dir.path()), left);
}

#[test]
fn a_file_that_is_still_written_to_outlives_the_sweep_of_another_session() {
    let dir = TempDir::new().unwrap();
    let (path, stdout, stderr) = Logs::new(dir.path().to_owned()).create().unwrap();
    stdout.set_modified(SystemTime::now() - KEPT - HOUR).unwrap();
    drop(stdout);
    Logs::new(dir.path().to_owned()).create().unwrap();
    assert!(path.exists());
    drop(stderr);
    Logs::new(dir.path().to_owned()).create().unwrap();
    assert!(!path.exists());
}
