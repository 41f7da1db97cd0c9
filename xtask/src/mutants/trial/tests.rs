//! From the name of a test on a page to the test in a binary.

use super::{folder_of, is_integration, name_of};

#[test]
fn a_test_is_found_by_its_file() {
    let rows = [
        ("tests/it/intent/table/d3.rs::t", "crates/interfaces/cli", true, "intent::table::d3::t"),
        ("crates/core/tests/it/d4.rs::t", "crates/core", true, "d4::t"),
        ("crates/core/tests/it/main.rs::t", "crates/core", true, "t"),
        (
            "crates/core/src/intent/ceiling/tests.rs::t",
            "crates/core",
            false,
            "intent::ceiling::tests::t",
        ),
    ];
    for (test, folder, integration, name) in rows {
        assert_eq!(folder_of(test).unwrap(), folder);
        assert_eq!(is_integration(test), integration);
        assert_eq!(name_of(test).unwrap(), name);
    }
    assert!(folder_of("README.md::t").is_err());
}
