//! `awf demo`: a scratch project, a shell step, an agent step played by a script, a call that is refused. Real files, the
//! real proxy; no key, no network, no agent.

use std::{fs, io, path::Path};

use awf_core::{Code, RunId};
use clap::Args;

use crate::{
    environment::Environment,
    icons::Icons,
    output::Output,
    report::{CommandError, Exit},
    running::{self, Manner, Occasion},
    showing::ShowArgs,
    telemetry::Telemetry,
    watch::View,
    workflows::Bundle,
};

const FILES: [(&str, &str); 3] = [
    ("notes.txt", include_str!("demo/notes.txt")),
    ("turns.yaml", include_str!("demo/turns.yaml")),
    (".awf/workflows/demo.yaml", include_str!("demo/workflow.yaml")),
];

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Show the intent of tool calls by a word only
    #[arg(long)]
    no_icons: bool,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) async fn run(
    args: &DemoArgs,
    environment: &Environment,
    telemetry: &Telemetry,
) -> Result<Exit, CommandError> {
    // Without a place for its journal nothing can run: then nothing is written, either.
    environment.awf_home()?;
    let id = RunId::generate();
    let scratch = environment.temp_dir().join(format!("awf-demo-{id}"));
    let output = Output::stdout();
    output.line(&format!(
        "A scratch project in {}: no key, no network, no agent.\n\n",
        scratch.display()
    ))?;
    write(&scratch).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", scratch.display());
        CommandError::of(Code::IoWriteFailed, message)
    })?;
    let bundle = Bundle::load(&scratch.join(".awf/workflows/demo.yaml"), None, environment)?;
    let occasion = Occasion::New(bundle.request(id));
    let view = View::text(Icons::from_flag(args.no_icons));
    let manner = Manner { view, show: &args.show };
    let exit = running::run(occasion, &bundle, manner, environment, telemetry).await?;
    output.line(&next(&scratch, id))?;
    Ok(exit)
}

fn write(scratch: &Path) -> io::Result<()> {
    for (name, text) in FILES {
        let path = scratch.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

fn next(scratch: &Path, id: RunId) -> String {
    format!(
        "\n\
         The workflow read, edited and searched files through awf; the one call it may not make was refused.\n\
         \n\
         awf activity list --run {id}   every call, with its intent\n\
         awf status {id}                every step\n\
         cat {}/CHANGES.md\n\
         awf init                       a first workflow of your own",
        scratch.display()
    )
}
