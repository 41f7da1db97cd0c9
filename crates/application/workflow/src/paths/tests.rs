//! Where files are looked for.

use std::path::{Path, PathBuf};

use awf_core::Skill;

use crate::{
    built::name,
    paths::{file_places, role_places, skill_places},
};

fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

#[test]
fn a_path_begins_at_the_workflow_then_at_the_project() {
    let project = Path::new("/p");
    assert_eq!(file_places("flows/a.yaml", project, "x.md"), paths(&["flows/x.md", "/p/x.md"]));
    assert_eq!(file_places("/p/a.yaml", project, "x.md"), paths(&["/p/x.md"]));
    assert_eq!(file_places("flows/a.yaml", project, "/x.md"), paths(&["/x.md"]));
}

#[test]
fn a_name_is_one_step_down() {
    let dirs = paths(&["/one", "/two"]);
    let skill = |skill: Skill| skill_places(&skill, "a.yaml", Path::new(""), &dirs);
    assert_eq!(skill(Skill::Named(name("s"))), paths(&["/one/s/SKILL.md", "/two/s/SKILL.md"]));
    assert_eq!(skill(Skill::At(name("s"))), paths(&["s/SKILL.md", "s"]));
    for outside in ["..", ".", "", "a/b", "/etc"] {
        assert_eq!(skill(Skill::Named(name(outside))), paths(&[]), "{outside}");
    }
    let role = |role: &str| role_places(&name(role), "a.yaml", Path::new(""), &dirs);
    assert_eq!(role("r"), paths(&["/one/r/AGENTS.md", "/two/r/AGENTS.md"]));
    assert_eq!(role("./r"), paths(&["./r/AGENTS.md"]));
    assert_eq!(role(".."), paths(&[]));
}
