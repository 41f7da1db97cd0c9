//! Who looks at the page: a code that works once buys a visit, and the visit's cookie reads and does nothing else.
//!
//! Cookies know no ports: a browser sends ours to any other server on the same address. Whoever runs one there could read
//! with it what a visitor reads. That is why no cookie ever admits a call.

mod code;
mod visits;

pub(crate) use code::Codes;
pub use code::login_code;
pub(crate) use visits::Visits;
