//! `awf mcp approve`: a person looks at a server, or at tools of it that changed, and stands behind them from now on.

use awf_core::{Code, shown};
use awf_upstreams::{Change, Field, PinError, Review, Upstream};
use clap::Args;

use crate::{
    approval,
    cli::ToolsetArgs,
    commands::mcp::bench::Bench,
    environment::Environment,
    prompt,
    report::{CommandError, Exit, say},
    table::printable,
};

#[derive(Debug, Args)]
pub(super) struct ApproveArgs {
    /// The server
    server: String,
    /// Only this tool; may be given more than once
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    toolset: ToolsetArgs,
}

pub(super) async fn run(
    args: &ApproveArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let bench = Bench::open(&args.toolset, environment)?;
    let approved = approve(args, &bench).await;
    bench.close().await;
    approved
}

async fn approve(args: &ApproveArgs, bench: &Bench) -> Result<Exit, CommandError> {
    let setting = bench.upstreams.setting(&args.server)?;
    if !bench.upstreams.is_approved(setting) {
        say(&approval::described(setting));
        agreed(args, "May it be started from now on?").await?;
        approval::approve(setting, &bench.upstreams)?;
        say(&format!("`{}` is approved", args.server));
    }
    let upstream = bench.server(&args.server).await?;
    approve_tools(args, &upstream).await
}

async fn approve_tools(args: &ApproveArgs, upstream: &Upstream) -> Result<Exit, CommandError> {
    let unwritable = |error: PinError| CommandError::of(Code::IoWriteFailed, error.to_string());
    let reviews = upstream.review().map_err(unwritable)?;
    let named = |review: &&Review| args.tools.is_empty() || args.tools.contains(&review.tool);
    let reviews: Vec<&Review> = reviews.iter().filter(named).collect();
    if reviews.is_empty() {
        say(&format!("no tool of `{}` waits for approval", args.server));
        return Ok(Exit::Ok);
    }
    for review in &reviews {
        say(&page(&args.server, review));
    }
    agreed(args, &format!("Approve {} as shown?", counted(reviews.len()))).await?;
    let names: Vec<&str> = reviews.iter().map(|review| review.tool.as_str()).collect();
    let approved = upstream.approve(Some(&names)).map_err(unwritable)?;
    say(&format!("approved: {}", approved.join(", ")));
    Ok(Exit::Ok)
}

fn counted(tools: usize) -> String {
    if tools == 1 { "this tool".to_owned() } else { format!("these {tools} tools") }
}

/// What changed, old and new, printable.
fn page(server: &str, review: &Review) -> String {
    let mut lines = vec![format!("{server}:{}", shown(&review.tool))];
    for Change { field, old, new } in &review.changes {
        lines.push(format!("  {}:", word(*field)));
        lines.extend(old.iter().map(|text| format!("  - {}", printable(text))));
        lines.extend(new.iter().map(|text| format!("  + {}", printable(text))));
    }
    lines.join("\n")
}

fn word(field: Field) -> &'static str {
    match field {
        Field::Name => "name",
        Field::Description => "description",
        Field::InputSchema => "input schema",
        Field::OutputSchema => "output schema",
        Field::Title => "title",
        Field::Annotations => "annotations",
        Field::Class { .. } => "class",
        Field::HiddenText => "characters that nobody sees",
    }
}

/// The person's yes, or that it was given beforehand.
async fn agreed(args: &ApproveArgs, question: &str) -> Result<(), CommandError> {
    if args.yes {
        return Ok(());
    }
    if !prompt::somebody_is_there() {
        let message = "there is nobody to ask";
        let hint = format!("look at it, then say so: awf mcp approve {} --yes", args.server);
        return Err(CommandError::of(Code::ServerNotApproved, message).hinting(&hint));
    }
    if prompt::confirm(question).await? {
        return Ok(());
    }
    Err(CommandError::of(Code::ServerNotApproved, "nothing was approved"))
}
