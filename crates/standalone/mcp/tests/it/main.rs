//! The server and the client over an in-memory stream, as any peer would see them.

#[cfg(test)]
mod client;
#[cfg(test)]
mod client_hostile;
#[cfg(test)]
mod peer;
#[cfg(test)]
mod server_calls;
#[cfg(test)]
mod server_eras;
#[cfg(test)]
mod server_fidelity;
#[cfg(test)]
mod server_load;
#[cfg(test)]
mod server_wire;
