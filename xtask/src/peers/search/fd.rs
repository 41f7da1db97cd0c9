//! What fd finds.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};

use super::{cases::Glob, ripgrep::paths, tools::Tool};
use crate::{command::output_within, peers::ground::Place};

const PATIENCE: Duration = Duration::from_mins(1);

/// The regular files whose path matches, relative to the root.
pub(crate) fn files(fd: &Tool, place: &Place, glob: Glob) -> Result<BTreeSet<PathBuf>> {
    let folder = place.root().join(glob.path);
    let mut command = place.command(&fd.program);
    command.args(["--color=never", "--type=file", "--case-sensitive", "--print0", "--glob"]);
    command.current_dir(&folder);
    if glob.pattern.contains('/') {
        // Matches whole paths then, and so the pattern must be one.
        let pattern = glob.pattern.trim_start_matches('/');
        command.arg("--full-path").arg("--").arg(folder.join(pattern));
    } else {
        command.arg("--").arg(glob.pattern);
    }
    let output = output_within(PATIENCE, command)?;
    let talk = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "fd ended with {}: {talk}", output.status);
    Ok(paths(&output.stdout, Path::new(glob.path)).collect())
}
