//! The REST API of the built binary: what it gives, what it tells apart, and what it withstands.

mod codes;
mod crowd;
mod events;
mod hostile;
mod openapi;
mod request_id;
mod stream;
mod tools;
