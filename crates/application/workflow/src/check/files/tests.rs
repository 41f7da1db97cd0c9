//! Files that a workflow names.

use awf_core::{CommandSource, PromptSource, Skill, State, StateKind};

use crate::built::{World, agent_with, name, state, text, workflow};

fn script(path: &str) -> State {
    state("s", StateKind::Command(CommandSource::Script(text(path))))
}

fn prompt(path: &str) -> State {
    agent_with("s", |agent| agent.prompt = PromptSource::File(text(path)))
}

#[test]
fn a_file_is_looked_for_beside_the_workflow_then_in_the_project() {
    for there in ["flows/run.sh", "/p/run.sh"] {
        let world = World { files: vec![there], ..World::default() };
        assert_eq!(world.told(&workflow([script("run.sh")])), [""; 0], "{there}");
    }
    assert_eq!(
        World::default().told(&workflow([script("run.sh")])),
        ["MISSING_FILE 1-7 script file `run.sh` does not exist | it was looked for at \
          `flows/run.sh` and `/p/run.sh`"]
    );
    assert_eq!(
        World::default().told(&workflow([prompt("/tmp/ask.md")])),
        ["MISSING_FILE 1-12 prompt file `/tmp/ask.md` does not exist | it was looked for at \
          `/tmp/ask.md`"]
    );
}

#[test]
fn awfs_own_directories_are_known_and_other_values_are_not() {
    let world = World { files: vec!["/p/prompts/ask.md"], ..World::default() };
    assert_eq!(world.told(&workflow([prompt("{{.awf.prompts_dir}}/ask.md")])), [""; 0]);
    assert_eq!(world.told(&workflow([prompt("{{.awf.prompts_dir}}/aks.md")])).len(), 1);
    assert_eq!(world.told(&workflow([prompt("{{.env.HOME}}/aks.md")])), [""; 0]);
}

#[test]
fn skills_and_roles_are_found_by_name_or_path() {
    let world = World {
        files: vec![
            "/home/skills/review/SKILL.md",
            "flows/own/SKILL.md",
            "/p/.awf/roles/lead/AGENTS.md",
            "/p/people/cto/AGENTS.md",
        ],
        ..World::default()
    };
    let step = |skills: Vec<Skill>, role: &str| {
        agent_with("s", |agent| {
            agent.skills = skills;
            agent.role = Some(name(role));
        })
    };
    let found =
        vec![Skill::Named(name("review")), Skill::At(name("own")), Skill::At(name("own/SKILL.md"))];
    assert_eq!(world.told(&workflow([step(found, "lead")])), [""; 0]);
    assert_eq!(world.told(&workflow([step(Vec::new(), "people/cto")])), [""; 0]);
    let lost = vec![Skill::Named(name("own")), Skill::At(name("review")), Skill::Named(name(".."))];
    let told = world.told(&workflow([step(lost, "cto")]));
    let told: Vec<&str> = told.iter().filter_map(|line| Some(line.split_once(" | ")?.0)).collect();
    assert_eq!(
        told,
        [
            "MISSING_ROLE 1-4 there is no role `cto`",
            "MISSING_SKILL 1-3 there is no skill `..`",
            "MISSING_SKILL 1-4 there is no skill `own`",
            "MISSING_SKILL 1-7 there is no skill `review`",
        ]
    );
}
