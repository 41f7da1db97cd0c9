//! Edges between crates of the workspace, against the rings and against `[crates]`.

use crate::{
    arch::{
        RULES_FILE,
        graph::{EdgeKind, Graph, Member},
        ring::Ring,
        rules::{Permit, Rules},
    },
    violation::Violation,
};

pub(crate) fn check(graph: &Graph, rules: &Rules) -> Vec<Violation> {
    let mut violations = Vec::new();
    for member in &graph.members {
        match rules.crates.get(&member.name) {
            Some(permit) => violations.extend(check_member(graph, member, permit)),
            None => violations.push(Violation::in_file(
                RULES_FILE,
                format!(
                    "`{0}` is not listed: add `[crates.{0}]` with the crates it uses",
                    member.name
                ),
            )),
        }
    }
    violations.extend(unused(graph, rules));
    violations
}

fn check_member(graph: &Graph, member: &Member, permit: &Permit) -> Vec<Violation> {
    let Some(ring) = Ring::of(&member.manifest) else {
        let message = format!("`{}` lies in no ring: move it to crates/<ring>/<name>", member.name);
        return vec![Violation::in_file(&member.manifest, message)];
    };
    let mut violations = Vec::new();
    for (kind, key, listed) in lists(permit) {
        for target in member.targets(kind).filter_map(|name| graph.member(name)) {
            if let Some(violation) = forbidden(member, ring, target) {
                violations.push(violation);
            } else if !listed.contains(&target.name) {
                violations.push(unlisted(member, key, target));
            }
        }
    }
    violations
}

fn lists(permit: &Permit) -> [(EdgeKind, &'static str, &[String]); 2] {
    [(EdgeKind::Shipped, "ships", &permit.ships), (EdgeKind::Test, "tests", &permit.tests)]
}

/// The rings bind tests as well: a test that needs a neighbour belongs one ring further out.
fn forbidden(member: &Member, ring: Ring, target: &Member) -> Option<Violation> {
    let target_ring = Ring::of(&target.manifest)?;
    if ring.may_know().contains(&target_ring) {
        return None;
    }
    let message = format!(
        "`{}` ({ring}) must never depend on `{}` ({target_ring}): drop the dependency; no line of {RULES_FILE} permits it",
        member.name, target.name
    );
    Some(Violation::in_file(&member.manifest, message))
}

fn unlisted(member: &Member, key: &str, target: &Member) -> Violation {
    let message = format!(
        "`{}` depends on `{}`: add it to `{key}` of `[crates.{}]` if the architecture means it, else drop it from {}",
        member.name, target.name, member.name, member.manifest
    );
    Violation::in_file(RULES_FILE, message)
}

fn unused(graph: &Graph, rules: &Rules) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (name, permit) in &rules.crates {
        let Some(member) = graph.member(name) else {
            let message = format!("`[crates.{name}]` names no crate of the workspace: delete it");
            violations.push(Violation::in_file(RULES_FILE, message));
            continue;
        };
        for (kind, key, listed) in lists(permit) {
            let idle =
                listed.iter().filter(|target| !member.targets(kind).any(|used| used == *target));
            violations.extend(idle.map(|target| {
                let message = format!(
                    "no dependency uses `{target}` in `{key}` of `[crates.{name}]`: delete it"
                );
                Violation::in_file(RULES_FILE, message)
            }));
        }
    }
    violations
}
