//! Servers that a person approved.

use std::{fs, path::Path, thread};

use tempfile::TempDir;

use super::Approvals;

#[test]
fn an_approval_is_for_one_fingerprint_until_it_is_revoked() {
    let home = TempDir::new().unwrap();
    let approvals = Approvals::open(home.path());
    assert!(!approvals.is_approved("f1"));
    approvals.approve("srv", "f1", Some(Path::new("/p"))).unwrap();
    approvals.approve("srv", "f1", None).unwrap();
    let again = Approvals::open(home.path());
    assert!(again.is_approved("f1") && !again.is_approved("f2") && !again.is_approved("srv"));
    again.revoke("f1").unwrap();
    assert!(!approvals.is_approved("f1"));
}

#[test]
fn a_damaged_file_approves_nothing_and_is_kept() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("approvals.json");
    for text in ["", "[]", r#"{"version":9,"servers":[{"name":"s","fingerprint":"f"}]}"#] {
        fs::write(&file, text).unwrap();
        let approvals = Approvals::open(home.path());
        assert!(!approvals.is_approved("f"));
        let error = approvals.approve("s", "f", None).unwrap_err().to_string();
        assert!(error.contains("approvals.json"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn those_who_approve_at_once_lose_nothing() {
    let home = TempDir::new().unwrap();
    thread::scope(|scope| {
        for number in 0..16 {
            let approvals = Approvals::open(home.path());
            scope.spawn(move || approvals.approve("s", &format!("f{number}"), None).unwrap());
        }
    });
    let approvals = Approvals::open(home.path());
    assert!((0..16).all(|number| approvals.is_approved(&format!("f{number}"))));
}
