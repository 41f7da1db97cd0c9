//! The intent gateway from outside: servers behind `retrieve_tools` and the three variants, over every surface.

mod activity;
mod approval;
mod discovery;
mod endpoint;
mod fidelity;
mod hostile;
mod refusals;
mod remote;
pub(crate) mod stage;
mod steps;
mod table;
mod views;
mod ways;
pub(crate) mod web;

pub(crate) use web::Web;
