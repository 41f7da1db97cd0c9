//! Runs `examples/journal_writer.rs` as a process of its own.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// Cargo builds examples beside the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().unwrap().parent().unwrap().join("examples/journal_writer");
    assert!(program.exists(), "`cargo build -p awf-store --examples` makes {}", program.display());
    program
}

/// A writer of `calls` calls.
#[expect(clippy::disallowed_methods, reason = "the test waits for its child or kills it")]
pub(crate) fn spawn(home: &Path, calls: usize) -> Child {
    Command::new(program()).arg(home).arg(calls.to_string()).stdout(Stdio::piped()).spawn().unwrap()
}

/// A writer that may first only write `limit` bytes to a file. The signal that comes with the limit is ignored, so that
/// it is an error like a full disk.
#[expect(clippy::disallowed_methods, reason = "the test waits for its child")]
pub(crate) fn output_with_limit(home: &Path, calls: usize, limit: usize) -> String {
    let output = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; exec "$@""#, "sh"])
        .arg(program())
        .arg(home)
        .args([calls.to_string(), limit.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
