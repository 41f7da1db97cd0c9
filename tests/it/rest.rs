//! The REST API of the built binary: what it gives, what it tells apart, and what it withstands.

mod events;
mod stream;
mod tools;
