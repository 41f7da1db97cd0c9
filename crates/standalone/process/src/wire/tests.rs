//! Every message survives the wire, and nothing else is taken for one.

use std::time::Duration;

use crate::{
    command::{CommandSpec, MARKER, Marker},
    wire::{
        self, Fault, Launch, MAX_FRAME, Malformed, Reply, Request, Scope, read_reply, read_request,
        split_frame,
    },
};

fn payload(frame: Option<Vec<u8>>) -> Vec<u8> {
    let mut bytes = frame.unwrap();
    let payload = split_frame(&mut bytes).unwrap().unwrap();
    assert!(bytes.is_empty());
    payload
}

fn spec() -> CommandSpec {
    CommandSpec {
        program: "sh".into(),
        args: vec!["-c".into(), "".into()],
        env: vec![("A".into(), "b".into())],
        cwd: "/tmp".into(),
    }
}

#[test]
fn a_launch_arrives_with_its_marker_in_place_of_any_other() {
    let marker = Marker::new(1, 2);
    let mut sent = spec();
    sent.env.push((MARKER.into(), "forged".into()));
    let given = [false, true, false];
    let mut expected = spec();
    expected.env.push((MARKER.into(), marker.value().into()));
    assert_eq!(
        read_request(&payload(wire::launch(7, given, &sent, &marker))),
        Ok(Request::Launch(Launch { id: 7, given, spec: expected }))
    );
}

#[test]
fn endings_and_replies_arrive() {
    let grace = Duration::from_millis(1500);
    for scope in [Scope::Everything, Scope::Command { id: 3, marker: Marker::new(4, 3) }] {
        let expected = Request::End { ticket: 9, scope: scope.clone(), grace };
        assert_eq!(read_request(&payload(wire::end(9, &scope, grace))), Ok(expected));
    }
    let replies = [
        Reply::Ready { greeting: u64::MAX },
        Reply::Started { id: 1, pid: u32::MAX },
        Reply::Failed { id: 2, fault: Fault::Program, errno: 2 },
        Reply::Failed { id: 2, fault: Fault::WorkingDirectory, errno: -1 },
        Reply::Exited { id: 3, status: 256 },
        Reply::Ended { ticket: 4, survivors: 5 },
    ];
    for reply in replies {
        assert_eq!(read_reply(&payload(wire::reply(&reply))), Ok(reply));
    }
}

#[test]
fn frames_are_split_whole() {
    let first = wire::reply(&Reply::Ended { ticket: 1, survivors: 0 }).unwrap();
    let second = wire::reply(&Reply::Exited { id: 2, status: 0 }).unwrap();
    let stream = [first.clone(), second.clone()].concat();
    let mut buffer = Vec::new();
    let mut frames = Vec::new();
    for byte in stream {
        buffer.push(byte);
        frames.extend(split_frame(&mut buffer).unwrap());
    }
    assert_eq!(frames, [&first[4..], &second[4..]]);
}

#[test]
fn no_cut_or_lengthened_or_foreign_frame_is_taken() {
    let request = payload(wire::launch(7, [true; 3], &spec(), &Marker::new(1, 2)));
    for length in 0..request.len() {
        assert_eq!(read_request(&request[..length]), Err(Malformed), "{length}");
    }
    assert_eq!(read_request(&[request.as_slice(), &[0]].concat()), Err(Malformed));
    assert_eq!(read_request(&[9]), Err(Malformed));
    let reply = payload(wire::reply(&Reply::Failed { id: 2, fault: Fault::Program, errno: 2 }));
    for length in 0..reply.len() {
        assert_eq!(read_reply(&reply[..length]), Err(Malformed), "{length}");
    }
    assert_eq!(read_reply(&[9; 20]), Err(Malformed));
    assert_eq!(split_frame(&mut vec![0xff; 8]), Err(Malformed));
}

#[test]
fn a_frame_over_the_limit_is_not_made() {
    let spec = CommandSpec { args: vec!["x".repeat(MAX_FRAME).into()], ..spec() };
    assert_eq!(wire::launch(1, [false; 3], &spec, &Marker::new(1, 1)), None);
}
