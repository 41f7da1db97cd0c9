//! Script files: with a shebang they are executed, else the shell gets their text. Templates in them are filled in.

use std::{
    fs::{self, Permissions},
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use awf_core::{Code, StepError, Text};
use tempfile::{Builder, TempPath};

use crate::{
    engine::{
        bench::Bench,
        files,
        render::{render, render_file},
        shell::Executable,
    },
    paths::file_places,
};

pub(super) fn executable(bench: &Bench<'_>, path: &Text) -> Result<Executable, StepError> {
    let named = render(path, &bench.view)?;
    let places = file_places(bench.file, &bench.ports.dir, &named);
    let places = places.into_iter().map(|place| bench.ports.dir.join(place)).collect();
    let what = format!("script file `{named}`");
    let (path, text) = files::read_first(places, Code::InputMissingFile, &what)?;
    let filled = render_file(&named, &text, &bench.view)?;
    if !filled.starts_with("#!") {
        let args = vec!["-c".into(), filled.into()];
        return Ok(Executable { path: bench.ports.shell.clone(), args, script: None });
    }
    if filled == text && is_executable(&path) {
        return Ok(Executable { path: path.into(), args: Vec::new(), script: None });
    }
    let copy = copy(&bench.ports.scratch, &filled).map_err(|source| StepError {
        code: Code::IoWriteFailed,
        message: format!("cannot make `{named}` executable: {source}"),
    })?;
    Ok(Executable { path: copy.as_os_str().to_owned(), args: Vec::new(), script: Some(copy) })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// A copy that only we may read, and that can be executed; closed, for a file that is open for writing cannot be.
fn copy(scratch: &Path, text: &str) -> std::io::Result<TempPath> {
    let mut file = Builder::new()
        .prefix("awf-script-")
        .permissions(Permissions::from_mode(0o700))
        .tempfile_in(scratch)?;
    file.write_all(text.as_bytes())?;
    Ok(file.into_temp_path())
}
