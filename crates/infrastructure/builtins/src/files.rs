//! The rooted file layer: every file a tool touches is reached through a directory handle of a root, never by a path
//! the kernel resolves from `/`. Whatever is swapped during a call, nothing outside the roots is read or written.
//!
//! This is the only module that knows the platform (`openat2`, so Linux for now).

mod error;
mod kind;
mod open;
mod protected;
mod replace;
mod residue;
mod resolve;
mod roots;
mod target;
mod workspace;

pub(crate) use error::FileError;
pub(crate) use kind::FileKind;
pub(crate) use open::{OpenFile, open_found, open_regular, stat_found};
pub(crate) use protected::Protected;
pub(crate) use replace::Replacement;
pub(crate) use resolve::{Found, Place, resolve};
pub use roots::RootError;
pub(crate) use roots::{Root, Roots};
pub(crate) use target::Target;
pub(crate) use workspace::Workspace;
