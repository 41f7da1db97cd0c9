//! Bytes and file descriptors over a Unix stream socket.

use std::{
    io::{IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::{
    cmsg_space,
    io::{Errno, Result, retry_on_intr},
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
};

/// Standard input, output and error.
const MAX_DESCRIPTORS: usize = 3;

/// Whether a call may wait for room in the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The guard has nothing else to do, and the host always reads.
    ForRoom,
    /// The host has a runtime to keep going.
    Never,
}

/// What one read brought.
pub(crate) enum Received {
    /// Bytes were appended; at most one batch of descriptors came with them. The kernel never joins the
    /// descriptors of two sends, and a batch it had to cut is handed on cut, so that the count tells.
    Bytes(Option<Vec<OwnedFd>>),
    /// Nothing there now.
    Nothing,
    /// The peer is gone.
    End,
}

/// Sends as much as fits; the descriptors go with the first byte. Gives the number of bytes sent.
pub(crate) fn send(
    socket: impl AsFd,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
    wait: Wait,
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Errno::INVAL);
    }
    let flags = match wait {
        Wait::ForRoom => SendFlags::NOSIGNAL,
        Wait::Never => SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
    };
    retry_on_intr(|| sendmsg(&socket, &[IoSlice::new(bytes)], &mut control, flags))
}

/// Reads what is there, without waiting, to the end of `buffer`.
pub(crate) fn receive(socket: impl AsFd, buffer: &mut Vec<u8>) -> Result<Received> {
    let mut chunk = [0; 16 << 10];
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let received =
        retry_on_intr(|| recvmsg(&socket, &mut [IoSliceMut::new(&mut chunk)], &mut control, flags));
    let message = match received {
        Err(Errno::AGAIN) => return Ok(Received::Nothing),
        Err(Errno::CONNRESET) => return Ok(Received::End),
        other => other?,
    };
    if message.bytes == 0 {
        return Ok(Received::End);
    }
    buffer.extend_from_slice(chunk.get(..message.bytes).unwrap_or(&chunk));
    let descriptors: Vec<OwnedFd> = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .collect();
    let batch = !descriptors.is_empty() || message.flags.contains(ReturnFlags::CTRUNC);
    Ok(Received::Bytes(batch.then_some(descriptors)))
}
