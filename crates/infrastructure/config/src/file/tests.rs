//! Files that can be read, and others.

use std::fs;

use awf_core::Code;
use tempfile::TempDir;

use super::read_text;

#[test]
fn only_regular_text_of_bounded_size_is_read() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    assert_eq!(read_text(&file("good", "é".as_bytes())), Ok("é".to_owned()));
    assert_eq!(
        read_text(&file("full", &vec![b'x'; 1024 * 1024])).map(|text| text.len()),
        Ok(1024 * 1024)
    );
    let rows = [
        (dir.path().join("absent"), Code::InputMissingFile, "cannot read"),
        (dir.path().to_owned(), Code::IoReadFailed, "it is not a regular file"),
        ("/dev/zero".into(), Code::IoReadFailed, "it is not a regular file"),
        (file("large", &vec![b'x'; 1024 * 1024 + 1]), Code::ParseTooLarge, "is larger than 1 MiB"),
        (file("binary", b"a\n\xff"), Code::ParseYamlSyntax, "is not UTF-8 on line 2"),
    ];
    for (path, code, message) in rows {
        let finding = read_text(&path).unwrap_err();
        assert_eq!(finding.code, code, "{path:?}");
        assert!(finding.message.contains(message), "{finding:?}");
    }
}
