//! What is installed is kept, what is half-installed is not.

use std::{cell::Cell, fs};

use anyhow::bail;

use super::once;

#[test]
fn installs_once_and_again_when_the_version_moves() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tool");
    let times = Cell::new(0);
    let install = |version: &str| {
        once(&folder, &[version.to_owned()], || {
            times.set(times.get() + 1);
            Ok(())
        })
    };
    install("a@1").unwrap();
    install("a@1").unwrap();
    assert_eq!(times.get(), 1);
    install("a@2").unwrap();
    assert_eq!(times.get(), 2);
}

#[test]
fn a_failed_install_leaves_no_claim() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("tool");
    let wanted = ["a@1".to_owned()];
    let half = once(&folder, &wanted, || {
        fs::write(folder.join("half"), "")?;
        bail!("the network is down")
    });
    assert!(half.is_err());
    once(&folder, &wanted, || Ok(())).unwrap();
    assert!(!folder.join("half").exists());
}
