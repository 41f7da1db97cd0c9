//! Turns are taken in alternating order, and a broken side ends the run.

use std::cell::RefCell;

use anyhow::bail;

use super::{Sides, side_by_side};

#[test]
fn the_order_alternates() {
    let order = RefCell::new(String::new());
    let turn = |name: char| {
        order.borrow_mut().push(name);
        Ok(name)
    };
    let sides = side_by_side(3, || turn('f'), || turn('a')).unwrap();
    assert_eq!(order.into_inner(), "faaffa");
    assert_eq!(sides, [Sides { awf: 'a', floor: 'f' }; 3]);
}

#[test]
fn a_broken_side_ends_the_run() {
    let error = side_by_side(3, || Ok(1.0), || bail!("no reply")).unwrap_err();
    assert_eq!(error.to_string(), "no reply");
}
