//! Rewrites a source so that each mutant waits behind its name in the environment.

use std::{collections::BTreeMap, fmt::Write as _};

use anyhow::{Result, ensure};

use crate::mutants::table::Mutant;

/// `text` with every mutant in it. Several may damage the same expression; expressions may not overlap.
pub(crate) fn graft(text: &str, mutants: &[&Mutant]) -> Result<String> {
    let mut places: BTreeMap<usize, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        places.entry(place(text, mutant)?).or_default().push(mutant);
    }
    let (mut grafted, mut end) = (String::new(), 0);
    for (start, mutants) in places {
        let original = &mutants[0].original;
        let one = mutants.iter().all(|mutant| mutant.original == *original);
        ensure!(one && start >= end, "`{original}` overlaps another original");
        grafted.push_str(text.get(end..start).unwrap_or_default());
        grafted.push('(');
        for mutant in mutants {
            let Mutant { id, mutated, .. } = mutant;
            write!(
                grafted,
                "if ::std::env::var_os(\"AWF_MUTANT\").is_some_and(|id| id == \"{id}\") {{ {mutated} }} else "
            )?;
        }
        write!(grafted, "{{ {original} }})")?;
        end = start + original.len();
    }
    grafted.push_str(text.get(end..).unwrap_or_default());
    Ok(grafted)
}

/// Where the original stands. Not found or found twice, the mutant means nothing any more.
fn place(text: &str, mutant: &Mutant) -> Result<usize> {
    let Mutant { id, original, file, .. } = mutant;
    let mut found = text.match_indices(original.as_str()).map(|(at, _)| at);
    let first = found.next();
    ensure!(found.next().is_none(), "{id}: `{original}` stands more than once in {file}");
    first.ok_or_else(|| anyhow::anyhow!("{id}: `{original}` is not in {file} any more"))
}
