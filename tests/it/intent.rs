//! The intent gateway from outside: servers behind `retrieve_tools` and the three variants, over every surface.

mod activity;
mod discovery;
mod fidelity;
mod hostile;
mod refusals;
mod stage;
mod table;
mod ways;
mod web;
