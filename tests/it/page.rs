//! The page of `awf serve`, without a browser: who is let in, what is shown, and that what is shown is only text.

mod activity;
mod doctor;
mod login;
mod runs;
pub(crate) mod visitor;
