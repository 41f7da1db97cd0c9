//! A scripted model server as a program, for tests that start real agents: plays `--scenario FILE` (JSON), writes a line of
//! JSON for each request to `--log FILE` and its address to `--port-file FILE`, and ends when its input does.

use std::{
    collections::HashMap,
    env,
    error::Error,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use awf_agents::{ModelRequest, ModelServer, Scenario};

#[expect(clippy::print_stderr, reason = "its one way to complain")]
fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(serve())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("model_server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let options: Vec<String> = env::args().skip(1).collect();
    let options: HashMap<&str, &str> =
        options.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    let option = |name| options.get(name).copied().ok_or(format!("`{name} FILE` is missing"));
    let scenario: Scenario = serde_json::from_slice(&fs::read(option("--scenario")?)?)?;
    let log = OpenOptions::new().create(true).append(true).open(option("--log")?)?;
    let log = Mutex::new(log);
    let server =
        ModelServer::watched(scenario, Arc::new(move |request| note(&log, request))).await?;
    tell(Path::new(option("--port-file")?), &server.url())?;
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await??;
    server.stop().await;
    Ok(())
}

/// A line that cannot be written is missed by whoever reads the log.
fn note(log: &Mutex<File>, request: &ModelRequest) {
    let Ok(mut line) = serde_json::to_string(request) else { return };
    line.push('\n');
    if let Ok(mut log) = log.lock() {
        log.write_all(line.as_bytes()).ok();
    }
}

/// Whole or not at all: who waits for the file reads it as soon as it is there.
fn tell(file: &Path, address: &str) -> io::Result<()> {
    let draft = file.with_extension("draft");
    fs::write(&draft, address)?;
    fs::rename(draft, file)
}
