//! The arithmetic of a line, and how it reads.

use super::{Figure, Outcome, median, percentile};
use crate::bench::rounds::Sides;

#[test]
fn percentiles_are_by_nearest_rank() {
    let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    assert_eq!(percentile(hundred.clone(), 50).to_bits(), 50_f64.to_bits());
    assert_eq!(percentile(hundred, 99).to_bits(), 99_f64.to_bits());
    assert_eq!(median(vec![3.0, 1.0, 2.0]).to_bits(), 2_f64.to_bits());
    assert!(median(Vec::new()).is_nan());
}

#[test]
fn a_ratio_is_the_median_of_ratios_not_the_ratio_of_medians() {
    let sides = |awf, floor| Sides { awf, floor };
    let rounds = vec![sides(20.0, 10.0), sides(90.0, 30.0), sides(100.0, 25.0)];
    let figure = Figure::ratio("one call", rounds.clone(), 3.0);
    assert_eq!(
        figure.to_string(),
        "one call                                    90.0 us       25.0 us    3.00x     3x  ok"
    );
    let figure = Figure::ratio("one call", rounds, 2.5);
    assert!(figure.to_string().ends_with("   2.5x  missed"), "{figure}");
    let figure = Figure::ratio("a search", vec![sides(9_999.0, 10_000.0)], 1.05);
    let words: Vec<String> = figure.to_string().split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "search", "9999.0", "us", "10.0", "ms", "1.00x", "1.05x", "ok"]);
}

#[test]
fn shares_and_bytes_read_plainly() {
    let share = |awf, simplest| {
        Figure { name: "found", result: Outcome::Share { awf, simplest } }.to_string()
    };
    assert!(share(0.8, 0.6).ends_with("more  ok"), "{}", share(0.8, 0.6));
    assert!(share(0.5, 0.6).ends_with("more  missed"), "{}", share(0.5, 0.6));
    let bytes =
        |much| Figure { name: "list", result: Outcome::Bytes { much, little: 7 } }.to_string();
    assert!(bytes(7).ends_with("same  ok") && bytes(8).ends_with("same  missed"));
}

#[test]
fn memory_and_gaps_read_plainly() {
    let figure = Figure {
        name: "memory",
        result: Outcome::Memory { rounds: vec![9.0, 11.0, 10.0], aim: 10.0 },
    };
    let words: Vec<String> = figure.to_string().split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["memory", "10.0", "MB", "10MB", "ok"]);
    let figure =
        Figure { name: "Grep", result: Outcome::NotMeasured("no `rg` on PATH".to_owned()) };
    assert!(figure.to_string().ends_with("not measured: no `rg` on PATH"), "{figure}");
}
