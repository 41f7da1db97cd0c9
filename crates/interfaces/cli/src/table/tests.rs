//! Tables as a person sees them.

use super::{Table, printable};

#[test]
fn columns_line_up_and_lines_end_without_blanks() {
    let mut table = Table::new(["ID", "TOOL", "STATUS"]);
    table.row(["1".into(), "Read".into(), "success".into()]);
    table.row(["22222".into(), "Bash".into(), "error".into()]);
    assert_eq!(
        table.to_string(),
        "ID     TOOL  STATUS\n1      Read  success\n22222  Bash  error\n"
    );
}

#[test]
fn a_cell_cannot_steer_the_terminal() {
    assert_eq!(printable("a\u{1b}[2Jb\n\u{202e}c"), "a\\u{1b}[2Jb\\u{a}\\u{202e}c");
}
