//! The machine in worlds by script and by dice.

mod build;
mod random;
mod stories;
mod world;
