//! The operations against a server on loopback and a program that writes down what it was given.

#![expect(clippy::unwrap_used, reason = "in a test, to fail is to panic")]

mod http;
mod http_limits;
mod notify;
mod redirects;
mod server;
mod stage;
