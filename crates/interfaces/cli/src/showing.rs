//! A run shown beside the terminal: on a page that its own process serves, and in a file that stands alone.

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use awf_core::{ActivityLog, Code, RunId, RunJournalError};
use awf_web::{RunReading, run_file};
use clap::Args;

use crate::{
    environment::Environment,
    report::{CommandError, say},
    runs::run_store,
    signals::Signals,
};

mod page;

pub(crate) use page::RunPage;

/// Where a run is shown, too.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ShowArgs {
    /// Write how the run went to this file, as one HTML page that needs nothing else; also when the run fails
    #[arg(long, value_name = "FILE", value_parser = html_file)]
    html: Option<PathBuf>,
    /// Show the run in the browser while it goes on
    #[arg(long)]
    open: bool,
}

/// What was asked for, looked at before anything begins.
pub(crate) struct Showing {
    html: Option<PathBuf>,
    open: bool,
    log: Option<Arc<dyn ActivityLog>>,
}

impl ShowArgs {
    /// A file that cannot be written is told now, not after an hour's run.
    pub(crate) fn prepare(
        &self,
        log: Option<Arc<dyn ActivityLog>>,
        environment: &Environment,
    ) -> Result<Showing, CommandError> {
        let html = self.html.as_ref().map(|file| environment.current_dir.join(file));
        if let Some(file) = &html {
            let folder = file.parent().unwrap_or(Path::new("/"));
            let fault = match (fs::metadata(folder), file.is_dir()) {
                (_, true) => Some("it is a directory".to_owned()),
                (Err(error), _) => Some(error.to_string()),
                (Ok(folder), _) if !folder.is_dir() => Some("its folder is none".to_owned()),
                (Ok(_), false) => None,
            };
            if let Some(fault) = fault {
                return Err(unwritable(file, &fault));
            }
        }
        Ok(Showing { html, open: self.open, log })
    }
}

impl Showing {
    /// The page of the run, if one is wanted.
    pub(crate) async fn page(
        &self,
        run: RunId,
        environment: &Environment,
    ) -> Result<Option<RunPage>, CommandError> {
        if !self.open {
            return Ok(None);
        }
        let page = RunPage::serve(run, self.log.clone(), environment).await?;
        say(&format!("the page of the run: {}", page.address()));
        Ok(Some(page))
    }

    /// Writes the file, if one is wanted. A run that never began has none.
    pub(crate) async fn write(
        &self,
        run: RunId,
        environment: &Environment,
    ) -> Result<(), CommandError> {
        let Some(file) = &self.html else { return Ok(()) };
        let (journal, now) = (run_store(environment)?, SystemTime::now());
        let reading = match RunReading::of(run, &journal, self.log.as_deref(), now).await {
            Ok(reading) => reading,
            Err(RunJournalError::NotFound(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let page = run_file(&reading).unwrap_or_default();
        write_whole(file, &page).map_err(|error| unwritable(file, &error.to_string()))
    }
}

/// Lets the page stay for a person at a terminal, until they end it.
pub(crate) async fn linger(page: &RunPage, signals: &mut Signals) {
    if io::stderr().is_terminal() {
        say(&format!("the page stays at {} until Ctrl-C", page.address()));
        signals.next().await;
    }
}

/// The whole file or nothing of it, for nobody else to read.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut new = tempfile::Builder::new().prefix(".awf-html-").tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    Ok(())
}

fn unwritable(file: &Path, fault: &str) -> CommandError {
    let message = format!("cannot write `{}`: {fault}", file.display());
    CommandError::of(Code::IoWriteFailed, message)
        .hinting("name a file in a folder that is there: `--html run.html`")
}

fn html_file(text: &str) -> Result<PathBuf, String> {
    match text {
        "-" => Err("a page is written to a file, not to stdout: `--html run.html`".to_owned()),
        "" => Err("name a file: `--html run.html`".to_owned()),
        file => Ok(file.into()),
    }
}
