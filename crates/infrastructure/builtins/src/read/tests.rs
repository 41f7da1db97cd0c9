//! Files that are longer than the file system says.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
    thread,
};

use awf_core::{ToolFailure, ToolResult};
use rustix::fs::fstat;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{INLINE_BYTES, OpenFile, answer};

async fn read(
    open: OpenFile,
    offset: usize,
    cancel: &CancellationToken,
) -> Result<ToolResult, ToolFailure> {
    let arguments = json!({"file_path": "f", "offset": offset});
    answer(open, serde_json::from_value(arguments).unwrap(), cancel).await
}

/// A pipe has no size and no end, as a file of procfs or FUSE may have none.
#[tokio::test]
async fn an_endless_file_without_a_size_is_left_when_the_call_is_cancelled() {
    let (reader, mut writer) = io::pipe().unwrap();
    let cancel = CancellationToken::new();
    let cancelled = cancel.clone();
    let source = thread::spawn(move || -> io::Result<()> {
        let lines = b"line\n".repeat(10_000);
        // Not endless after all, so that a reader that does not stop fails the test instead of hanging it.
        for round in 0..20_000 {
            writer.write_all(&lines)?;
            if round == 20 {
                cancelled.cancel();
            }
        }
        Ok(())
    });
    let file = File::from(OwnedFd::from(reader));
    let stat = fstat(&file).unwrap();
    let answer = read(OpenFile { file, stat }, 2_147_483_647, &cancel).await;
    assert_eq!(answer, Err(ToolFailure::Cancelled));
    assert_eq!(source.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[tokio::test]
async fn a_file_of_procfs_says_it_has_no_size_and_is_read() {
    let open = OpenFile::check(File::open("/proc/self/status").unwrap().into(), "f").unwrap();
    assert_eq!(open.size(), 0);
    let answer = read(open, 1, &CancellationToken::new()).await.unwrap();
    assert!(answer.raw().get().contains("1\\tName:"), "{answer:?}");
}

#[tokio::test]
async fn a_file_that_grew_after_it_was_opened_is_read_to_its_new_end() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"first\n").unwrap();
    let open = OpenFile::check(file.reopen().unwrap().into(), "f").unwrap();
    let lines = usize::try_from(INLINE_BYTES).unwrap();
    file.write_all(&b"x\n".repeat(lines)).unwrap();
    file.write_all(b"last\n").unwrap();
    let answer = read(open, lines + 2, &CancellationToken::new()).await.unwrap();
    assert_eq!(answer, ToolResult::text(&format!("{}\tlast\n", lines + 2)));
}
