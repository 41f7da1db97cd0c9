//! Words that read back what they print.

use super::{Operation, RefusalCode, Sensitivity, Variant, WarningCode};

#[test]
fn every_word_reads_back_what_it_prints() {
    for operation in Operation::ALL {
        assert_eq!(Operation::parse(operation.as_str()), Some(operation));
        assert_eq!(operation.to_string(), operation.as_str());
    }
    for variant in Variant::ALL {
        assert_eq!(Variant::parse(variant.as_str()), Some(variant));
        assert_eq!(variant.to_string(), format!("call_tool_{}", variant.0));
    }
    for level in Sensitivity::ALL {
        assert_eq!(Sensitivity::parse(level.as_str()), Some(level));
    }
    for code in RefusalCode::ALL {
        assert_eq!(RefusalCode::parse(code.as_str()), Some(code));
        assert_eq!(code.to_string(), code.as_str());
    }
    for code in WarningCode::ALL {
        assert_eq!(WarningCode::parse(code.as_str()), Some(code));
    }
}

#[test]
fn strangers_are_no_words() {
    for text in ["", "READ", "call_tool", "Call_Tool_Read", "rеad"] {
        assert_eq!(Operation::parse(text), None, "{text}");
        assert_eq!(Variant::parse(text), None, "{text}");
        assert_eq!(Sensitivity::parse(text), None, "{text}");
        assert_eq!(RefusalCode::parse(text), None, "{text}");
        assert_eq!(WarningCode::parse(text), None, "{text}");
    }
}

#[test]
fn operations_are_ordered_from_harmless_to_harmful() {
    assert!(Operation::ALL.is_sorted());
    assert!(Operation::Read < Operation::Write && Operation::Write < Operation::Destructive);
}
