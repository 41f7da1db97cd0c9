//! What a spreadsheet would take for a formula, and what would break a row.

use super::row;

#[test]
fn a_cell_is_quoted_where_it_must_be() {
    assert_eq!(row(["a", "", "b c"]), "a,,b c\r\n");
    assert_eq!(
        row(["a,b", "say \"x\"", "two\nlines"]),
        "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n"
    );
}

#[test]
fn no_cell_begins_a_formula() {
    for (given, written) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "\"'\r=1\""),
        ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
    ] {
        assert_eq!(row([given]), format!("{written}\r\n"));
    }
}
