//! What a client that reads line by line makes of an event.

use awf_core::Place;

#[test]
fn every_event_is_lines_of_known_fields_and_an_empty_line() {
    let place = Place { index: -7, number: 3 };
    for frame in [super::place(place), super::lost(place), super::too_slow(), super::ALIVE] {
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let (fields, rest) = text.split_once("\n\n").unwrap();
        assert_eq!(rest, "");
        for line in fields.lines() {
            let (name, value) = line.split_once(':').unwrap();
            assert!(["id", "event", "data", ""].contains(&name), "{line}");
            if name == "data" {
                serde_json::from_str::<serde_json::Value>(value).unwrap();
            }
        }
    }
    let id = String::from_utf8(super::lost(place).to_vec()).unwrap();
    let id = id.lines().next().unwrap().strip_prefix("id: ").unwrap();
    assert_eq!(Place::parse(id), Some(place));
}
