//! External crates, and functions, that have owners.

use crate::{
    arch::{
        RULES_FILE,
        graph::{EdgeKind, Graph, Member},
        rules::{Permit, Rules, names},
    },
    rust_source::code_only,
    violation::Violation,
};

pub(crate) fn check(graph: &Graph, rules: &Rules) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (key, Permit { ships, tests }) in &rules.external {
        for (kind, field, owners) in
            [(EdgeKind::Shipped, "ships", ships), (EdgeKind::Test, "tests", tests)]
        {
            let users: Vec<&Member> = graph
                .members
                .iter()
                .filter(|member| member.targets(kind).any(|to| names(key, to)))
                .collect();
            violations.extend(users.iter().filter(|user| !owners.contains(&user.name)).map(|user| {
                let message = format!(
                    "`{}` may not use `{key}`, {}: drop the dependency, or name a new owner in {RULES_FILE}",
                    user.name,
                    belongs_to(owners)
                );
                Violation::in_file(&user.manifest, message)
            }));
            let place = format!("`{field}` of `{key}`");
            violations.extend(idle(owners, &users, &place));
        }
    }
    violations
}

/// The lint on disallowed functions can be silenced anywhere; this says where it may be.
pub(crate) fn check_calls(graph: &Graph, rules: &Rules) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (call, owners) in &rules.calls {
        let mut users = Vec::new();
        for member in &graph.members {
            let mut places = member.sources.iter().filter(|file| says(&file.text, call)).peekable();
            if places.peek().is_some() {
                users.push(member);
            }
            if !owners.contains(&member.name) {
                violations.extend(places.map(|file| {
                    let message = format!(
                        "`{call}` stands here, {}: go through its owner",
                        belongs_to(owners)
                    );
                    Violation::in_file(&file.path, message)
                }));
            }
        }
        violations.extend(idle(owners, &users, &format!("the owners of `{call}`")));
    }
    violations
}

/// Whole words only, so that `MetadataCommand::new` is not `Command::new`.
fn says(text: &str, call: &str) -> bool {
    let code = code_only(text);
    code.match_indices(call).any(|(at, _)| {
        let before = code.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

fn belongs_to(owners: &[String]) -> String {
    match owners {
        [] => "which nobody may use here".to_owned(),
        owners => format!("which belongs to {}", owners.join(", ")),
    }
}

fn idle(owners: &[String], users: &[&Member], place: &str) -> Vec<Violation> {
    let idle = owners.iter().filter(|owner| !users.iter().any(|user| user.name == **owner));
    idle.map(|owner| {
        Violation::in_file(
            RULES_FILE,
            format!("`{owner}` in {place} uses it nowhere: delete the name"),
        )
    })
    .collect()
}
