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

/// Letters to change, add, leave out or swap with their neighbour, row by row of the matrix.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, a) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, b) in to.iter().enumerate() {
            let changed = above[column] + usize::from(a != b);
            let moved = above[column + 1].min(current[column]) + 1;
            let crossed = row > 0 && column > 0 && from[row - 1] == *b && to[column - 1] == *a;
            let swapped = if crossed { before[column - 1] + 1 } else { usize::MAX };
            current.push(changed.min(moved).min(swapped));
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
