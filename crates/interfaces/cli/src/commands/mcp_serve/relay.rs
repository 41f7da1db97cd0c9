//! The bytes between an agent and the run it works for, both ways, unread and unchanged.
//!
//! The tools are in the run, behind a socket. When the run is gone this process is gone too: it never serves by itself.

use std::{io, pin::pin, time::Duration};

use awf_config::RelayConfig;
use awf_core::{Code, shown};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, Interest},
    net::{
        UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    time::sleep,
};

use crate::{
    commands::mcp_serve::LAST_WORDS,
    report::{CommandError, Exit},
};

/// Bytes on their way, each way.
const BUFFER: usize = 64 * 1024;
/// How often to look for the end of the run while nobody takes what it said.
const LOOK: Duration = Duration::from_millis(100);

/// Who ended the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The agent: it closed our stdin or our stdout.
    Agent,
    /// The run.
    Run,
}

/// Carries bytes until the agent has said all and heard all.
pub(super) async fn run(config: &RelayConfig) -> Result<Exit, CommandError> {
    let socket = UnixStream::connect(&config.socket).await.map_err(|error| {
        let socket = config.socket.display();
        CommandError::of(Code::ProxyGone, format!("{}: `{socket}`: {error}", gone(config)))
    })?;
    let (stdin, mut stdout) = awf_mcp::stdio().map_err(|error| {
        CommandError::of(Code::IoReadFailed, format!("cannot use stdin and stdout: {error}"))
    })?;
    let ended = carry(stdin, &mut stdout, socket).await;
    stdout.taken(LAST_WORDS).await;
    match ended {
        Ok(Ended::Agent) => Ok(Exit::Ok),
        Ok(Ended::Run) => Err(CommandError::of(Code::ProxyGone, gone(config))),
        Err(error) => {
            Err(CommandError::of(Code::IoWriteFailed, format!("cannot write to stdout: {error}")))
        }
    }
}

fn gone(config: &RelayConfig) -> String {
    let run = config.run.as_deref().map_or_else(String::new, |run| format!(" `{}`", shown(run)));
    let step = config.step.as_deref();
    let step = step.map_or_else(String::new, |step| format!(" of step `{}`", shown(step)));
    format!("the run{run} that had the tools{step} is gone")
}

async fn carry<R, W>(stdin: R, stdout: W, socket: UnixStream) -> io::Result<Ended>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (from_run, to_run) = socket.into_split();
    let mut up = pin!(carry_up(stdin, to_run));
    let mut down = pin!(carry_down(from_run, stdout));
    let (mut open, mut agent_left) = (true, false);
    loop {
        tokio::select! {
            ended = &mut up, if open => (open, agent_left) = (false, ended == Ended::Agent),
            ended = &mut down => return match ended? {
                Ended::Run if agent_left => Ok(Ended::Agent),
                ended => Ok(ended),
            },
        }
    }
}

/// From the agent to the run. The half-closed connection tells the run that nothing more will be asked.
async fn carry_up<R: AsyncRead + Unpin>(mut stdin: R, mut to_run: OwnedWriteHalf) -> Ended {
    let mut buffer = vec![0; BUFFER];
    loop {
        // A stdin that cannot be read has nothing more to say.
        let read = stdin.read(&mut buffer).await.unwrap_or(0);
        let sent = match buffer.get(..read) {
            Some(said) if read > 0 => to_run.write_all(said).await,
            _ => return to_run.shutdown().await.map_or(Ended::Run, |()| Ended::Agent),
        };
        if sent.is_err() {
            return Ended::Run;
        }
    }
}

/// From the run to the agent.
async fn carry_down<W: AsyncWrite + Unpin>(
    mut from_run: OwnedReadHalf,
    mut stdout: W,
) -> io::Result<Ended> {
    let mut buffer = vec![0; BUFFER];
    loop {
        // A run that died leaves a reset connection behind, or a closed one.
        let read = from_run.read(&mut buffer).await.unwrap_or(0);
        let Some(said) = buffer.get(..read).filter(|said| !said.is_empty()) else {
            return Ok(Ended::Run);
        };
        let told = async {
            stdout.write_all(said).await?;
            stdout.flush().await
        };
        tokio::select! {
            biased;
            told = told => match told {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Ended::Agent),
                Err(error) => return Err(error),
            },
            () = hung_up(&from_run) => return Ok(Ended::Run),
        }
    }
}

/// Until the run is gone and its last words have waited long enough. Reading would tell, but there is nowhere to put what
/// would be read, and what is readable stays readable: hence a look now and then.
async fn hung_up(from_run: &OwnedReadHalf) {
    while let Ok(ready) = from_run.ready(Interest::READABLE).await
        && !ready.is_read_closed()
    {
        sleep(LOOK).await;
    }
    sleep(LAST_WORDS).await;
}

#[cfg(test)]
mod tests;
