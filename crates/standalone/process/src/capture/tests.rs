//! Head and tail against the plain definition, whatever the pieces.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use tokio::{net::unix::pipe::Receiver, time::timeout};

use crate::capture::{Captured, Drain, Keep, Keeper};

fn expected(all: &[u8], keep: Keep) -> Captured {
    let (head, rest) = all.split_at(keep.head.min(all.len()));
    let tail = &rest[rest.len().saturating_sub(keep.tail)..];
    Captured { head: head.into(), tail: tail.into(), dropped: (rest.len() - tail.len()) as u64 }
}

#[test]
fn any_cut_into_pieces_gives_the_same() {
    let all: Vec<u8> = (0..=255).cycle().take(600).collect();
    let sizes = [0, 1, 2, 7, 50, 599, 600, 601];
    for length in sizes {
        for (head, tail) in sizes.iter().flat_map(|head| sizes.map(|tail| (*head, tail))) {
            let keep = Keep { head, tail };
            let all = &all[..length.min(all.len())];
            for piece in [1, 3, 64, 600] {
                let mut keeper = Keeper::new(keep);
                all.chunks(piece).for_each(|piece| keeper.push(piece));
                assert_eq!(keeper.finish(), expected(all, keep), "{length} {keep:?} {piece}");
            }
        }
    }
}

#[test]
fn what_is_whole_reads_as_one() {
    let mut keeper = Keeper::new(Keep { head: 3, tail: 3 });
    keeper.push(b"abcdef");
    let captured = keeper.finish();
    assert_eq!((captured.dropped, captured.bytes()), (0, b"abcdef".to_vec()));
}

#[tokio::test]
async fn a_pipe_that_is_never_empty_leaves_others_their_turn() {
    let (read, mut write) = io::pipe().unwrap();
    write.write_all(b"y").unwrap();
    let mut heard = 0;
    // Whenever it was read, there is more.
    let refill = move |_: &[u8]| {
        heard += 1;
        assert!(heard < 1_000_000, "nobody else gets a turn");
        write.write_all(b"y").unwrap();
    };
    let pipe = Receiver::from_owned_fd(read.into()).unwrap();
    let mut drain = Drain::new(pipe, Keep { head: 0, tail: 0 }, Box::new(refill));
    timeout(Duration::from_millis(20), drain.fill()).await.unwrap_err();
}
