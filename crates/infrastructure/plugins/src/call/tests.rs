//! What a call carries, and what its failure means.

use super::*;

#[test]
fn a_request_carries_its_trace_and_its_time() {
    let trace = TraceContext { traceparent: "00-a-b-01".into(), tracestate: Some("k=v".into()) };
    let request = request((), Limit::new(Duration::from_secs(9)), Some(&trace));
    let value = |name| request.metadata().get(name).map(|value| value.to_str().unwrap());
    assert_eq!(value("traceparent"), Some("00-a-b-01"));
    assert_eq!(value("tracestate"), Some("k=v"));
    assert!(value("grpc-timeout").is_some());
}

#[test]
fn a_trace_that_fits_no_header_is_left_out() {
    let trace = TraceContext { traceparent: "a\nb".into(), tracestate: None };
    let request = request((), Limit::new(Duration::from_secs(9)), Some(&trace));
    assert!(request.metadata().get("traceparent").is_none());
}

#[test]
fn each_status_has_its_meaning() {
    let late = Status::from_error(Box::new(TimeoutExpired(())));
    let broken = Status::from_error("pipe".into());
    let too_large = "Error, decoded message length too large: found 9 bytes";
    let rows = [
        (Status::unimplemented("x"), Fault::Unimplemented),
        (Status::deadline_exceeded("x"), Fault::Deadline),
        (late, Fault::Deadline),
        (Status::out_of_range(too_large), Fault::TooLarge),
        (Status::out_of_range("9"), Fault::Refused(Code::OutOfRange, "9".into())),
        (Status::internal("Missing response message."), {
            Fault::Undecodable("Missing response message.".into())
        }),
        (Status::internal("oops"), Fault::Refused(Code::Internal, "oops".into())),
        (broken, Fault::Transport("pipe: pipe".into())),
    ];
    for (status, fault) in rows {
        assert_eq!(Fault::from(status), fault);
    }
}
