//! The two measures, by hand.

use super::Score;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn recall_is_of_five_and_rank_of_the_first() {
    let mut score = Score::default();
    score.count(&names(&["a", "b"]), &names(&["x", "a", "y", "z", "w", "b"]));
    assert_eq!(score, Score { recall: 0.5, reciprocal: 0.5, queries: 1.0 });
    score.count(&names(&["a"]), &names(&["x"]));
    assert_eq!(
        (score.recall().to_bits(), score.reciprocal().to_bits()),
        (0.25_f64.to_bits(), 0.25_f64.to_bits())
    );
}
