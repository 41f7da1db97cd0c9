//! How far two words are apart: letters left out, put in, mistaken, or two neighbours swapped.

/// How many such slips turn `one` into `other`, if no more than `most` do.
pub(crate) fn is_within(one: &str, other: &str, most: usize) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut previous = None;
    for (row, letter) in (1..).zip(&one) {
        let mut line = vec![row];
        let mut left_letter = None;
        for (column, opposite) in (1..).zip(&other) {
            let at =
                |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&last, column - 1) + usize::from(letter != opposite))
                .min(at(&last, column) + 1)
                .min(at(&line, column - 1) + 1);
            if column > 1 && previous == Some(opposite) && left_letter == Some(letter) {
                cost = cost.min(at(&before_last, column - 2) + 1);
            }
            line.push(cost);
            left_letter = Some(opposite);
        }
        if line.iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        before_last = std::mem::replace(&mut last, line);
        previous = Some(letter);
    }
    last.last().copied().filter(|slips| *slips <= most)
}

#[cfg(test)]
mod tests;
