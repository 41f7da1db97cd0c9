//! A plugin for awf with one of each: operations, a step type, a validator. What they do stands in handlers.rs.

use std::process::ExitCode;

use awf_plugin_sdk::{Input, Kind, Operation, Plugin, StepType};

mod handlers;

fn main() -> ExitCode {
    let echo = Operation::new("echo", handlers::echo)
        .description("Gives back whatever it is given, to the last digit")
        .read_only();
    let add = Operation::new("add", handlers::add)
        .description("Adds two integers")
        .input(Input::integer("a").required())
        .input(Input::integer("b").required())
        .output("sum", Kind::Integer, "The sum");
    let greet = Operation::new("greet", handlers::greet)
        .description("Greets somebody in their language")
        .input(Input::string("name").required().description("Who is greeted"))
        .input(Input::string("language").choices(["de", "en", "fr"]).default("en"))
        .read_only();
    let delete = Operation::new("delete", handlers::delete)
        .description("Pretends to delete something")
        .input(Input::string("name").required().description("What would be gone"))
        .destructive();
    Plugin::new("example", env!("CARGO_PKG_VERSION"))
        .description("One of each thing that a plugin can offer")
        .operation(echo)
        .operation(add)
        .operation(greet)
        .operation(delete)
        .step_type(StepType::new("query", handlers::query).description("Answers an SQL query"))
        .validator(handlers::validate)
        .serve()
}
