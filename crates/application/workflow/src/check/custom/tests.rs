//! Steps of a plugin's own type.

use awf_core::{PluginCatalog, PluginEntry, StepType};

use crate::built::{World, custom, name, plugin, workflow};

fn told(step_type: &str, aliases: &[(&str, &str)]) -> Vec<String> {
    let query = StepType { name: "query".to_owned(), description: String::new() };
    let database =
        PluginEntry { step_types: Some(vec![query]), ..plugin("database", Some(&["dump"])) };
    let off = PluginEntry { enabled: false, ..plugin("off", None) };
    let plugins = vec![database, plugin("mystery", None), off];
    let world = World { plugins: PluginCatalog { plugins }, ..World::default() };
    let mut flow = workflow([custom("s", step_type)]);
    flow.plugins = aliases.iter().map(|(alias, of)| (name(alias), name(of))).collect();
    world.told(&flow)
}

#[test]
fn a_step_type_is_one_a_plugin_has() {
    let rows = [
        (
            "database.quey",
            "UNKNOWN_STEP_TYPE 1-14 plugin `database` has no step type `quey` | did you mean `query`?",
        ),
        (
            "database.dump",
            "UNKNOWN_STEP_TYPE 1-14 plugin `database` has no step type `dump` | `dump` is an operation: write `type: operation` and `operation: database.dump`",
        ),
        (
            "databse.query",
            "UNKNOWN_STEP_TYPE 1-14 plugin `databse` is not declared | did you mean `database`?",
        ),
        (
            "off.query",
            "UNKNOWN_STEP_TYPE 1-10 plugin `off` is switched off | run `awf plugin enable off`",
        ),
        (
            "mystery.do",
            "UNVERIFIED_OPERATION 1-11 the step types of plugin `mystery` are not known | (usual)",
        ),
    ];
    for (step_type, expected) in rows {
        assert_eq!(told(step_type, &[]), [expected]);
    }
    assert_eq!(told("database.query", &[]), [""; 0]);
}

#[test]
fn another_name_stands_for_a_plugin_that_is_there() {
    assert_eq!(told("database.query", &[("db", "database")]), [""; 0]);
    assert_eq!(
        told("databse.query", &[("db", "databse")]),
        ["UNKNOWN_STEP_TYPE 1-8 plugin `databse` is not declared | did you mean `database`?"]
    );
}
