//! Output as a step may print it.

use super::{keep, quoted};

#[test]
fn a_step_cannot_draw_on_the_screen() {
    assert_eq!(quoted("a\x1b[2Jb\tc\r\n", None), "       | a[2Jb\tc\n");
    assert_eq!(quoted("x", Some("left")), "       left | x\n");
}

#[test]
fn of_endless_output_the_end_is_kept() {
    let mut pending = String::new();
    for _ in 0..100 {
        keep(&mut pending, &"äx\n".repeat(1_000));
    }
    assert!(pending.starts_with("[…]\n"));
    assert!(pending.len() < 256 * 1024, "{}", pending.len());
    assert!(pending.ends_with("äx\n"));
}
