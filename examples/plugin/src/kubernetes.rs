//! Stands in for a cluster: the operations of the workflows in `examples/f099`, and nothing behind them.

use std::process::ExitCode;

use awf_plugin_sdk::{Call, Failure, Input, Operation, Plugin, Reply};

fn main() -> ExitCode {
    let apply = Operation::new("kubectl_apply", apply)
        .description("Applies a manifest")
        .input(Input::string("file").required().description("The manifest"))
        .destructive();
    let get = Operation::new("kubectl_get", get)
        .description("Lists resources of a kind")
        .input(Input::string("kind").choices(["pods", "services"]).default("pods"))
        .read_only();
    Plugin::new("kubernetes", env!("CARGO_PKG_VERSION")).operation(apply).operation(get).serve()
}

fn apply(call: &Call) -> Result<Reply, Failure> {
    let file: String = call.input("file")?;
    Ok(Reply::text(format!("{file} configured")).data("applied", 1))
}

fn get(call: &Call) -> Result<Reply, Failure> {
    let kind: String = call.input("kind")?;
    Ok(Reply::text(format!("no {kind} found")))
}
