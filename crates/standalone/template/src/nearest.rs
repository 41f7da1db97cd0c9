//! "Did you mean …?": the known name closest to one that is not known.

/// Characters compared at most: a name comes from outside and may be of any length.
const COMPARED: usize = 48;
/// Candidates looked at, at most: the keys of a map come from outside too.
const LOOKED_AT: usize = 1_000;

/// The candidate closest to `name`, if no more than half of it would have to change.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = folded(name);
    candidates
        .into_iter()
        .take(LOOKED_AT)
        .filter_map(|candidate| {
            let other = folded(candidate);
            let edits = edits(&name, &other);
            (edits * 2 <= name.len().max(other.len())).then_some((edits, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .take(COMPARED)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// How many characters must be put in, left out, changed, or swapped with their neighbour.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let changed = above[j] + usize::from(a != b);
            let mut least = changed.min(row[j] + 1).min(above[j + 1] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
