//! The messages between host and guard, and their bytes.
//!
//! A frame is a length (u32, little endian) and so many bytes: a tag, then the fields in order; a string is a
//! length and its bytes. Both ends are the same binary, so there is no versioning beyond [`GREETING`].

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    time::Duration,
};

use crate::command::{CommandSpec, MARKER, Marker};

/// First message of a guard. Whatever else answers was started by mistake.
pub(crate) const GREETING: u64 = u64::from_le_bytes(*b"awfguar1");

/// No system takes a longer command line (the kernel's own bound is 6 MiB).
pub(crate) const MAX_FRAME: usize = 8 << 20;

const HEADER: usize = size_of::<u32>();

/// What the host asks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Start a command; its descriptors travel beside the frame.
    Launch(Launch),
    /// End one command or everything.
    End { ticket: u64, scope: Scope, grace: Duration },
}

/// A command as the guard gets it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    pub(crate) id: u64,
    /// Which of stdin, stdout, stderr have a descriptor; the others lead to the null device.
    pub(crate) given: [bool; 3],
    pub(crate) spec: CommandSpec,
}

/// What is to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    Command { id: u64, marker: Marker },
    Everything,
}

/// What the guard answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    Ready { greeting: u64 },
    Started { id: u64, pid: u32 },
    Failed { id: u64, fault: Fault, errno: i32 },
    Exited { id: u64, status: i32 },
    Ended { ticket: u64, survivors: u32 },
}

/// Which part of a command could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Program,
    WorkingDirectory,
}

/// A frame that cannot be read: the peer is not what it should be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// The frame of a launch, with the marker in the environment; `None` when it passes [`MAX_FRAME`].
pub(crate) fn launch(
    id: u64,
    given: [bool; 3],
    spec: &CommandSpec,
    marker: &Marker,
) -> Option<Vec<u8>> {
    let mut out = Writer::new(0);
    out.u64(id);
    for given in given {
        out.u8(u8::from(given));
    }
    out.string(&spec.program);
    out.string(spec.cwd.as_os_str());
    out.u64(spec.args.len() as u64);
    for arg in &spec.args {
        out.string(arg);
    }
    let env = || spec.env.iter().filter(|(key, _)| key != MARKER);
    out.u64(env().count() as u64 + 1);
    for (key, value) in env() {
        out.string(key);
        out.string(value);
    }
    out.string(OsStr::new(MARKER));
    out.string(marker.value());
    out.finish()
}

pub(crate) fn end(ticket: u64, scope: &Scope, grace: Duration) -> Option<Vec<u8>> {
    let mut out = Writer::new(1);
    out.u64(ticket);
    out.u64(u64::try_from(grace.as_millis()).unwrap_or(u64::MAX));
    match scope {
        Scope::Everything => out.u8(0),
        Scope::Command { id, marker } => {
            out.u8(1);
            out.u64(*id);
            out.string(marker.value());
        }
    }
    out.finish()
}

pub(crate) fn reply(reply: &Reply) -> Option<Vec<u8>> {
    let tagged = |tag: u8, first: u64| {
        let mut out = Writer::new(tag);
        out.u64(first);
        out
    };
    let out = match *reply {
        Reply::Ready { greeting } => tagged(0, greeting),
        Reply::Started { id, pid } => tagged(1, id).and(pid),
        Reply::Failed { id, fault, errno } => {
            let mut out = tagged(2, id).and(errno.cast_unsigned());
            out.u8(match fault {
                Fault::Program => 0,
                Fault::WorkingDirectory => 1,
            });
            out
        }
        Reply::Exited { id, status } => tagged(3, id).and(status.cast_unsigned()),
        Reply::Ended { ticket, survivors } => tagged(4, ticket).and(survivors),
    };
    out.finish()
}

/// Takes one whole frame from the front of `buffer`, if there is one.
pub(crate) fn split_frame(buffer: &mut Vec<u8>) -> Result<Option<Vec<u8>>, Malformed> {
    let Some(header) = buffer.first_chunk::<HEADER>() else { return Ok(None) };
    let length = u32::from_le_bytes(*header) as usize;
    if length > MAX_FRAME {
        return Err(Malformed);
    }
    if buffer.len() < HEADER + length {
        return Ok(None);
    }
    let rest = buffer.split_off(HEADER + length);
    let mut frame = std::mem::replace(buffer, rest);
    frame.drain(..HEADER);
    Ok(Some(frame))
}

pub(crate) fn read_request(frame: &[u8]) -> Result<Request, Malformed> {
    let mut input = Reader(frame);
    let request = match input.u8()? {
        0 => Request::Launch(input.launch()?),
        1 => {
            let ticket = input.u64()?;
            let grace = Duration::from_millis(input.u64()?);
            let scope = match input.u8()? {
                0 => Scope::Everything,
                1 => {
                    Scope::Command { id: input.u64()?, marker: Marker::from_bytes(input.bytes()?) }
                }
                _ => return Err(Malformed),
            };
            Request::End { ticket, scope, grace }
        }
        _ => return Err(Malformed),
    };
    input.end(request)
}

pub(crate) fn read_reply(frame: &[u8]) -> Result<Reply, Malformed> {
    let mut input = Reader(frame);
    let tag = input.u8()?;
    let first = input.u64()?;
    let reply = match tag {
        0 => Reply::Ready { greeting: first },
        1 => Reply::Started { id: first, pid: input.u32()? },
        2 => Reply::Failed {
            id: first,
            errno: input.u32()?.cast_signed(),
            fault: match input.u8()? {
                0 => Fault::Program,
                1 => Fault::WorkingDirectory,
                _ => return Err(Malformed),
            },
        },
        3 => Reply::Exited { id: first, status: input.u32()?.cast_signed() },
        4 => Reply::Ended { ticket: first, survivors: input.u32()? },
        _ => return Err(Malformed),
    };
    input.end(reply)
}

/// Builds one frame; the header is filled in last.
struct Writer(Vec<u8>);

impl Writer {
    fn new(tag: u8) -> Self {
        let mut bytes = vec![0; HEADER];
        bytes.push(tag);
        Self(bytes)
    }

    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn and(mut self, value: u32) -> Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn string(&mut self, value: &OsStr) {
        self.u64(value.len() as u64);
        self.0.extend_from_slice(value.as_bytes());
    }

    fn finish(mut self) -> Option<Vec<u8>> {
        let length = self.0.len() - HEADER;
        if length > MAX_FRAME {
            return None;
        }
        let length = u32::try_from(length).ok()?;
        self.0.first_chunk_mut::<HEADER>()?.copy_from_slice(&length.to_le_bytes());
        Some(self.0)
    }
}

/// Reads one frame and never past its end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, Malformed> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Malformed> {
        self.take().map(u64::from_le_bytes)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, Malformed> {
        let length = usize::try_from(self.u64()?).map_err(|_| Malformed)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken.to_vec())
    }

    fn string(&mut self) -> Result<OsString, Malformed> {
        self.bytes().map(OsString::from_vec)
    }

    fn launch(&mut self) -> Result<Launch, Malformed> {
        let id = self.u64()?;
        let given = self.take::<3>()?.map(|given| given != 0);
        let program = self.string()?;
        let cwd = self.string()?.into();
        let args = (0..self.u64()?).map(|_| self.string()).collect::<Result<_, _>>()?;
        let env = (0..self.u64()?)
            .map(|_| Ok((self.string()?, self.string()?)))
            .collect::<Result<_, _>>()?;
        Ok(Launch { id, given, spec: CommandSpec { program, args, env, cwd } })
    }

    fn end<T>(&self, value: T) -> Result<T, Malformed> {
        if self.0.is_empty() { Ok(value) } else { Err(Malformed) }
    }
}

#[cfg(test)]
mod tests;
