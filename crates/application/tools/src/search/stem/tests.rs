//! Forms of one word meet; different words stay apart.

use super::stem;

#[test]
fn forms_of_one_word_meet() {
    for forms in [
        "delete deletes deleted deleting deletion",
        "run runs running",
        "call calls called calling",
        "query queries queried querying",
        "box boxes",
        "branch branches",
        "notify notifies notification notifications notified",
        "deploy deploys deployed deployment deployments",
        "summarise summarize summarising summarized summarization",
        "archive archives archived archiving",
        "translate translation",
        "stop stopped stopping",
        "file files filed",
    ] {
        let stems: Vec<String> = forms.split(' ').map(stem).collect();
        assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{forms}: {stems:?}");
    }
}

#[test]
fn different_words_stay_apart() {
    for (one, other) in [
        ("status", "state"),
        ("comment", "commit"),
        ("note", "notify"),
        ("string", "stre"),
        ("user", "use"),
        ("address", "add"),
        ("feed", "fee"),
        ("this", "thi"),
    ] {
        assert_ne!(stem(one), stem(other), "{one} {other}");
    }
}

#[test]
fn what_is_not_english_stays() {
    for word in ["größen", "s3", "sha256s", "ids", "ls", "css"] {
        assert_eq!(stem(word), word);
    }
}
