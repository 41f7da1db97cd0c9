//! The page of one run, served by the process that carries it out: on this machine only, on a port of its own.

use std::{
    fs::OpenOptions,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::SystemTime,
};

use async_trait::async_trait;
use awf_core::{ActivityLog, Code, RunId};
use awf_process::{Grace, Guard, Streams};
use awf_web::{ApiKey, Gate, NoView, View, Views, WebLimits, WebPorts, WebSettings};
use tokio::{net::TcpListener, sync::Notify, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    commands::{
        open,
        serve::{key_file, machine::Machine},
    },
    environment::Environment,
    report::{CommandError, say},
    runs::run_store,
    secrets,
    wiring::guard,
};

/// A page that is served.
pub(crate) struct RunPage {
    run: RunId,
    key: ApiKey,
    address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<io::Result<()>>,
    /// Of the browser, which goes when the page does.
    guard: Guard,
}

impl RunPage {
    /// Serves until it is closed.
    pub(crate) async fn serve(
        run: RunId,
        log: Option<Arc<dyn ActivityLog>>,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let begun = SystemTime::now();
        let key = ApiKey::load_or_create(&key_file(environment)?).map_err(unreadable)?;
        secrets::learn([key.reveal()]);
        let failed = |error: io::Error| {
            let message = format!("cannot listen on this machine: {error}");
            CommandError::of(Code::ListenFailed, message)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let ports = WebPorts {
            views: Arc::new(NoTools),
            log,
            runs: Arc::new(run_store(environment)?),
            trace: None,
            clinic: Arc::new(Machine::new(None, environment)?),
            clock: SystemTime::now,
            redact: secrets::told,
        };
        let settings = WebSettings {
            key: key.clone(),
            hosts: Vec::new(),
            begun,
            limits: WebLimits::default(),
        };
        let stop = CancellationToken::new();
        let serving = tokio::spawn(awf_web::serve(listener, settings, ports, stop.clone()));
        let guard = guard(&environment.executable);
        Ok(Self { run, key, address, stop, serving, guard })
    }

    /// Where the run is.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/runs/{}", self.address, self.run)
    }

    /// Opens the page once the run has begun; one that is over without that has none. Without a browser the run goes on all
    /// the same.
    pub(crate) async fn present(
        &self,
        begun: &Notify,
        over: &CancellationToken,
        environment: &Environment,
    ) {
        tokio::select! {
            biased;
            () = begun.notified() => {}
            () = over.cancelled() => return,
        }
        if let Err(error) = self.browse(environment).await {
            for finding in error.into_findings() {
                say(&format!("warning: {}", finding.message));
            }
            say(&format!("the run is at {}: `awf open --listen {}`", self.address(), self.address));
        }
    }

    async fn browse(&self, environment: &Environment) -> Result<(), CommandError> {
        let link = open::link(&self.key, self.address, &format!("/runs/{}", self.run))?;
        let spec = open::opener(&link, environment)?;
        let nowhere = |options: &mut OpenOptions| {
            options.open("/dev/null").map_err(|error| open::no_browser(&error))
        };
        let streams = Streams {
            stdin: nowhere(OpenOptions::new().read(true))?.into(),
            stdout: nowhere(OpenOptions::new().write(true))?.into(),
            stderr: nowhere(OpenOptions::new().write(true))?.into(),
        };
        let browser = self.guard.spawn(spec, streams).await;
        browser.map_err(|error| open::no_browser(&error))?.detach();
        Ok(())
    }

    /// Serves no longer, and leaves no browser that is ours.
    pub(crate) async fn close(self) {
        self.stop.cancel();
        drop(self.serving.await);
        if let Err(error) = self.guard.stop(Grace::NONE).await {
            tracing::warn!(%error, "the browser could not be ended");
        }
    }
}

// By value, as `map_err` gives it.
#[expect(clippy::needless_pass_by_value, reason = "it is the end of the error")]
fn unreadable(error: awf_web::KeyError) -> CommandError {
    CommandError::of(Code::IoReadFailed, error.to_string())
}

/// A run's page has no tools to call: those of its steps are theirs.
struct NoTools;

#[async_trait]
impl Views for NoTools {
    async fn view(&self, _: &View) -> Result<Arc<dyn Gate>, NoView> {
        let reason = "this is the page of a run and has no tools; `awf serve` has";
        Err(NoView::Unavailable(reason.to_owned()))
    }
}
