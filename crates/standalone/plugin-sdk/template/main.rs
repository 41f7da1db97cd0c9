//! The plugin `{{name}}` for awf.

use std::process::ExitCode;

use awf_plugin_sdk::{Input, Kind, Operation, Plugin, Reply};

fn main() -> ExitCode {
    let greet = Operation::new("greet", |call| {
        let who: String = call.input("who")?;
        let greeting = format!("Hello, {who}!");
        Ok(Reply::text(&greeting).data("greeting", greeting))
    })
    .description("Greets somebody")
    .input(Input::string("who").required().description("Who is greeted"))
    .output("greeting", Kind::String, "The greeting")
    .read_only();
    Plugin::new("{{name}}", env!("CARGO_PKG_VERSION")).operation(greet).serve()
}
