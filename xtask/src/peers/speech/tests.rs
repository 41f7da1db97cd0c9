//! Raw texts stay raw.

use super::*;

#[test]
fn a_result_is_kept_as_it_was_written() {
    let text = r#"{"result":{"b" : 1.0,"a":"\u0041"},"jsonrpc":"2.0","id":7}"#;
    let answer = Message::read(text).unwrap().answer(7).unwrap();
    assert_eq!(answer, Some(Answer::Result(r#"{"b" : 1.0,"a":"\u0041"}"#.to_owned())));
}

#[test]
fn what_answers_another_request_is_no_answer() {
    for text in [r#"{"id":8,"result":{}}"#, r#"{"id":7,"method":"ping"}"#, r#"{"method":"x"}"#] {
        assert_eq!(Message::read(text).unwrap().answer(7).unwrap(), None, "{text}");
    }
}

#[test]
fn a_question_is_refused_and_a_notice_is_not() {
    let refused = Message::read(r#"{"id":"q","method":"roots/list"}"#).unwrap().refusal().unwrap();
    assert!(refused.contains("-32601") && refused.contains(r#""id":"q""#), "{refused}");
    assert_eq!(Message::read(r#"{"method":"notifications/x"}"#).unwrap().refusal(), None);
}
