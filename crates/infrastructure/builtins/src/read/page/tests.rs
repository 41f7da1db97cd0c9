//! The running line number.

use super::LineNumber;

#[test]
fn a_line_number_counts_and_jumps() {
    let mut number = LineNumber::new();
    let steps =
        [1, 2, 9, 10, 11, 98, 99, 100, 101, 1999, 2000, 5, 6, 4_294_967_295, 4_294_967_296, 0, 1];
    for value in steps {
        number.advance_to(value);
        assert_eq!(number.text(), format!("{value}\t").as_bytes());
    }
    for value in 2..12_345 {
        number.advance_to(value);
        assert_eq!(number.text(), format!("{value}\t").as_bytes());
    }
}
