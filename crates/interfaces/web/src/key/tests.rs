//! The key and its file.

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::{ApiKey, KeyError};

#[test]
fn a_key_is_made_once_for_its_owner_only_and_read_again() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("awf/api-key");
    let made = ApiKey::load_or_create(&path).unwrap();
    assert_eq!(ApiKey::load_or_create(&path).unwrap(), made);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(made.reveal().len(), 64);
    let other = ApiKey::load_or_create(&home.path().join("other")).unwrap();
    assert_ne!(other, made);
}

#[test]
fn of_many_that_make_a_key_at_once_all_get_the_same() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("api-key");
    let makers: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || ApiKey::load_or_create(&path).unwrap())
        })
        .collect();
    let keys: Vec<_> = makers.into_iter().map(|maker| maker.join().unwrap()).collect();
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[test]
fn a_file_open_to_others_is_refused_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("api-key");
    ApiKey::load_or_create(&path).unwrap();
    for mode in [0o640, 0o604, 0o620, 0o610] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let error = ApiKey::load_or_create(&path).unwrap_err();
        assert!(matches!(error, KeyError::Exposed { .. }), "{error}");
        assert!(error.to_string().contains(&format!("mode 0{mode:o}")), "{error}");
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("api-key");
    for text in ["", "short", &"g".repeat(64), &"a".repeat(65)] {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let error = ApiKey::load_or_create(&path).unwrap_err();
        assert!(matches!(error, KeyError::Malformed { .. }), "{error}");
    }
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let error = ApiKey::load_or_create(&link).unwrap_err();
    assert!(matches!(error, KeyError::Read { .. }), "{error}");
}

#[test]
fn only_the_whole_key_admits_and_it_is_never_printed() {
    let key = ApiKey::parse(&"ab".repeat(32)).unwrap();
    assert!(key.admits("ab".repeat(32).as_bytes()));
    for offered in ["", "ab", &"ab".repeat(31), &"ab".repeat(33), &"ac".repeat(32)] {
        assert!(!key.admits(offered.as_bytes()), "{offered}");
    }
    assert_eq!(format!("{key:?}"), "ApiKey(..)");
}
