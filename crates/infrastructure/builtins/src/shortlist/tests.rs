//! What a shortlist keeps.

use super::{Entry, Shortlist};

impl Entry for u32 {
    fn bytes(&self) -> usize {
        10
    }
}

#[test]
fn the_least_entries_are_kept_in_whatever_order_they_come() {
    let mut orders = [vec![5, 1, 4, 2, 3], vec![1, 2, 3, 4, 5], vec![5, 4, 3, 2, 1]];
    for order in &mut orders {
        let mut list = Shortlist::new(25);
        for entry in order.drain(..) {
            list.push(entry);
        }
        assert_eq!(list.total(), 5);
        assert_eq!(list.into_sorted(), [1, 2, 3]);
    }
}

#[test]
fn lists_of_several_threads_make_one() {
    let (mut one, mut two) = (Shortlist::new(30), Shortlist::new(30));
    for (a, b) in [(9, 1), (2, 8), (7, 3), (4, 6)] {
        one.push(a);
        two.push(b);
    }
    one.absorb(two);
    assert_eq!(one.total(), 8);
    assert_eq!(one.into_sorted(), [1, 2, 3]);
}
