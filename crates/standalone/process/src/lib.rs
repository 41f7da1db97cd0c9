//! A child process that cannot outlive us.
//!
//! Everything a program starts should be gone when the program ends, by whatever means it ends, SIGKILL
//! included, and also what called `setsid` and forked twice. A process cannot promise that about itself; an
//! ancestor of the children can. So the children are started by a **guard**: a tiny fork server, the host's
//! own binary executed again, started with the first command and never before.
//!
//! ```text
//! host ──socket──▶ guard (own session, sub-reaper) ──▶ command (own session) ──▶ …
//! ```
//!
//! * The guard gets each command with its file descriptors over a Unix socket, starts it, reports its exit.
//! * When the socket closes, the host is gone: the guard ends every descendant and then itself. Orphans are
//!   re-parented to the guard, because it is a sub-reaper, so none escapes by losing its parent.
//! * When the guard dies, the orphans are re-parented to the host, which is a sub-reaper too: it ends them,
//!   every running [`Child`] answers [`GuardLost`], and the next command gets a new guard.
//!
//! # What the host does
//!
//! ```no_run
//! use awf_process::{Guard, GuardCommand};
//!
//! fn main() -> std::process::ExitCode {
//!     if std::env::args().nth(1).as_deref() == Some("guard") {
//!         return awf_process::guard_main(); // before any runtime or thread exists
//!     }
//!     let guard = Guard::new(GuardCommand {
//!         program: "/proc/self/exe".into(),
//!         args: vec!["guard".into()],
//!     });
//!     // … run a runtime, hand `guard` to what starts children, and at the end: `guard.stop(grace).await`
//!     # drop(guard);
//!     std::process::ExitCode::SUCCESS
//! }
//! ```
//!
//! One [`Guard`] is one scope of life: [`Guard::sweep`] ends all that was started through it. A host with two
//! scopes (a run, and a session inside it) holds two guards.
//!
//! # What it does not cover
//!
//! * Host and guard killed in the same instant: nobody is left to sweep. The guard has its own session, so a
//!   signal to the host's group, or a hang-up of its terminal, does not reach it.
//! * [`Child::kill`] finds an orphan of one command by its session or by the variable [`MARKER`] in its
//!   environment. An orphan that left the session *and* wiped or overwrote its environment lives until the
//!   sweep, which needs neither.
//! * A process the user may not signal (one started through `sudo`) survives; it is counted and reported.
//! * Starting a command waits for its `exec`; a program or working directory on a hung network mount holds up
//!   the guard until the mount answers.
//! * The host becomes a sub-reaper with the first command. After the loss of a guard it ends every child of
//!   its own that is younger than the guard and lives in another session: a host that starts daemons by other
//!   means than this crate should not use it.
//!
//! Linux only (sub-reaper, pidfd, `/proc`).

mod capture;
mod child;
mod command;
mod error;
mod guard;
mod link;
mod orphans;
mod outbox;
mod peer;
mod pipes;
mod replace;
mod run;
mod server;
mod socket;
mod tree;
mod wire;

pub use capture::{Captured, Keep, Listener};
pub use child::{Child, Exit, Grace};
pub use command::{CommandSpec, MARKER, Stream, Streams};
pub use error::{EndError, GuardLost, SpawnError};
pub use guard::{Guard, GuardCommand};
pub use peer::Peer;
pub use pipes::{Piped, input_pipe, output_pipe};
pub use replace::replace;
pub use run::{Finished, Limits, Listeners, Outcome};
pub use server::{guard_main, guard_main_then};
