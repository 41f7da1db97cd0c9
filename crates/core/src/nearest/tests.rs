//! What is close, and what is not.

use super::{edits, nearest};

#[test]
fn a_swap_of_neighbours_is_one_edit() {
    let rows = [
        ("", "", 0),
        ("a", "", 1),
        ("", "abc", 3),
        ("abc", "abc", 0),
        ("kitten", "sitting", 3),
        ("flaw", "lawn", 2),
        ("ab", "ba", 1),
        ("tow", "two", 1),
        ("abcdef", "abdcef", 1),
        ("abcdef", "azced", 3),
    ];
    for (a, b, expected) in rows {
        let (left, right): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        assert_eq!(edits(&left, &right), expected, "{a} {b}");
        assert_eq!(edits(&right, &left), expected, "{b} {a}");
    }
}

#[test]
fn only_the_closest_names_are_offered() {
    let known = ["Bash", "Edit", "Glob", "Grep", "Read", "Write", "github_delete_repo"];
    assert_eq!(nearest("Raed", known), ["Read"]);
    assert_eq!(nearest("read", known), ["Read"]);
    assert_eq!(nearest("rea", known), ["Read"]);
    assert_eq!(nearest("delete_repo", known), ["github_delete_repo"]);
    assert_eq!(nearest("github_delet_repo", known), ["github_delete_repo"]);
    assert_eq!(nearest("Grob", known), ["Glob"]);
    assert_eq!(nearest("kubectl", known), Vec::<&str>::new());
    assert_eq!(nearest("", known), Vec::<&str>::new());
    assert_eq!(nearest("repo", known), ["github_delete_repo"]);
    assert_eq!(nearest("ab", ["xxabxx"]), Vec::<&str>::new());
    assert_eq!(nearest("abc", ["xxxxabcxxxx"]), ["xxxxabcxxxx"]);
}

#[test]
fn at_most_three_are_offered_in_a_fixed_order() {
    assert_eq!(nearest("tool0", ["tool4", "tool3", "tool2", "tool1"]), ["tool1", "tool2", "tool3"]);
}

#[test]
fn a_name_of_any_length_is_compared_in_bounded_time() {
    let long = "x".repeat(1 << 20);
    assert_eq!(nearest(&long, ["Read", &"x".repeat(70)]), ["x".repeat(70)]);
}
