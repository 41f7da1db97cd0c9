//! Ids and words that other programs read.

use super::{ActivityId, Status};

#[test]
fn an_id_reads_back_what_it_prints() {
    let id = ActivityId::generate();
    assert_eq!(ActivityId::parse(&id.to_string()), Some(id));
    for bad in ["", "not-an-id", "01JG2", "../../etc/passwd"] {
        assert_eq!(ActivityId::parse(bad), None);
    }
}

#[test]
fn every_status_reads_back_its_word() {
    for status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
    assert_eq!(Status::parse("SUCCESS"), None);
}
