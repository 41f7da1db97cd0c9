//! What is typed on a command line, judged as a file would be. Whoever typed it knows where: only the fault is told.

use crate::servers::{meant, name};

/// What a server is to be called.
pub fn check_server_name(name: &str) -> Result<(), String> {
    let Some(fault) = name::fault(name) else { return Ok(()) };
    let hint = fault.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    Err(fault.message + &hint)
}

/// Where a server is reached.
pub fn check_url(url: &str) -> Result<(), String> {
    if meant::is_address(url) {
        return Ok(());
    }
    Err("it must be an address such as `https://host/mcp`".to_owned())
}

/// A variable of a program.
pub fn check_variable(name: &str, value: &str) -> Result<(), String> {
    told(name, meant::env_fault(name, value))
}

/// A header of a request.
pub fn check_header(name: &str, value: &str) -> Result<(), String> {
    told(name, meant::header_fault(name, value))
}

fn told(name: &str, fault: Option<&str>) -> Result<(), String> {
    fault.map_or(Ok(()), |why| Err(format!("`{}` {why}", awf_core::shown(name))))
}
