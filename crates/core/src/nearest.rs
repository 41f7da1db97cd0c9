//! "Did you mean …?": the known names closest to one that is not known.

/// Names offered at most.
const MOST: usize = 3;
/// Characters compared at most: the name comes from outside and may be of any length.
const COMPARED: usize = 64;

/// The candidates closest to `name`, all equally close; none when nothing is.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = folded(name);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(&name, &folded(candidate))?, candidate)))
        .collect();
    near.sort_unstable();
    let least = near.first().map(|(distance, _)| *distance);
    let equally_near = near.into_iter().take_while(|(distance, _)| Some(*distance) == least);
    equally_near.map(|(_, candidate)| candidate).take(MOST).collect()
}

fn folded(name: &str) -> Vec<char> {
    name.chars().take(COMPARED).map(|c| c.to_ascii_lowercase()).collect()
}

/// How far apart two names are, or `None` when more than half of the longer one would have to change. A name that
/// lacks only its beginning or end (`delete_repo` for `github_delete_repo`) is close.
fn distance(name: &[char], candidate: &[char]) -> Option<usize> {
    let whole_within = name.len() > 2 && candidate.windows(name.len()).any(|part| part == name);
    let edits = edits(name, candidate);
    let close = edits * 2 <= name.len().max(candidate.len());
    match (close, whole_within) {
        (true, false) => Some(edits),
        (_, true) => Some(edits.min(1)),
        (false, false) => None,
    }
}

/// Levenshtein distance, one row of the matrix at a time.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, a) in (1..).zip(from) {
        let mut left = above;
        let mut diagonal = above - 1;
        for (cell, b) in row.iter_mut().skip(1).zip(to) {
            let changed = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = changed.min(left + 1).min(diagonal + 1);
            *cell = left;
        }
    }
    // The first column is never read back: its value is the loop's `above`.
    if to.is_empty() { from.len() } else { row.last().copied().unwrap_or_default() }
}

#[cfg(test)]
mod tests;
