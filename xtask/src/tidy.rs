//! `cargo xtask tidy`: the rules of form that no compiler lint covers.

mod code;
mod codes;
mod form;
mod manifests;
mod places;

use anyhow::Result;

use crate::{
    tree::{self, TextFile},
    violation::{Violation, none_of},
};

pub(crate) fn run() -> Result<()> {
    let files = tree::read(&tree::root())?;
    none_of("tidy", check(&files)?)?;
    println!("tidy: {} files in order", files.len());
    Ok(())
}

fn check(files: &[TextFile]) -> Result<Vec<Violation>> {
    let mut violations = manifests::check(files)?;
    violations.extend(codes::check(files));
    for file in files {
        violations.extend(places::check(file));
        if file.is_rust() {
            violations.extend(form::check(file));
            violations.extend(code::check(file));
        }
    }
    Ok(violations)
}

#[cfg(test)]
mod tests;
