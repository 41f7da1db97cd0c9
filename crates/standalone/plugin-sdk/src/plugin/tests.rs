//! What a plugin says it is, and what it must not be.

use super::Plugin;
use crate::{Operation, Reply, StepType};

fn operation(name: &str) -> Operation {
    Operation::new(name, |_| Ok(Reply::default()))
}

#[test]
fn it_says_what_it_offers() {
    let plugin = Plugin::new("sample", "1.0.0");
    assert_eq!(plugin.capabilities(), [""; 0]);
    let plugin = plugin.operation(operation("one")).validator(|_| Ok(Vec::new()));
    assert_eq!(plugin.capabilities(), ["operations", "validators"]);
}

#[test]
fn a_name_is_given_once() {
    let step_type = || StepType::new("one", |_| Ok(Reply::default()));
    let plugin = Plugin::new("sample", "1.0.0").operation(operation("one")).step_type(step_type());
    plugin.check().unwrap();
    for (plugin, wanted) in [
        (plugin.clone().operation(operation("one")), "operation `one` is declared twice"),
        (plugin.step_type(step_type()), "step type `one` is declared twice"),
    ] {
        let said = plugin.check().unwrap_err().to_string();
        assert_eq!(said.lines().next(), Some(wanted));
    }
}
