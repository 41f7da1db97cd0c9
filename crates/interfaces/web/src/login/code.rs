//! Codes for the login: whoever has the key makes one, without asking the server. It works once, for minutes, for one port.
//!
//! A code is the time, a random number, and a proof by the key over both and the port. The key itself goes nowhere, and
//! somebody who listens on another port and is handed the code has nothing to use it for.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::key::{ApiKey, random};

/// How long a code may wait to be used.
const LIFE: Duration = Duration::from_mins(5);
/// How far a clock may have been put back since a code was made.
const AHEAD: Duration = Duration::from_secs(5);
/// Used codes that are remembered; none is taken while there is no room for another.
const REMEMBERED: usize = 1024;
/// What the proof is for, so that it is good for nothing else.
const PURPOSE: &[u8] = b"awf page login";

const TIME: usize = 8;
const NONCE: usize = 16;
const PROOF: usize = 32;

/// Makes a code for the page of the server on `port`.
pub fn login_code(key: &ApiKey, port: u16, now: SystemTime) -> io::Result<String> {
    let nonce: [u8; NONCE] = random()?;
    let time = millis(now).to_be_bytes();
    let proof = proof(key, port, time, &nonce)?.finalize().into_bytes();
    Ok(URL_SAFE_NO_PAD.encode([&time[..], &nonce, &proof].concat()))
}

/// Which codes were used.
pub(crate) struct Codes {
    /// Codes from before are refused: nobody remembers whether they were used.
    begun: u64,
    used: Mutex<Vec<Used>>,
}

struct Used {
    time: u64,
    nonce: [u8; NONCE],
}

impl Codes {
    pub(crate) fn new(begun: SystemTime) -> Self {
        Self { begun: millis(begun), used: Mutex::default() }
    }

    /// Whether `offered` is good, which it then was for the last time.
    pub(crate) fn redeem(&self, key: &ApiKey, port: u16, offered: &str, now: SystemTime) -> bool {
        let Some((time, nonce)) = read(key, port, offered) else { return false };
        let now = millis(now);
        let young = |time: u64| time.saturating_add(in_millis(LIFE)) >= now;
        if time < self.begun || !young(time) || time > now.saturating_add(in_millis(AHEAD)) {
            return false;
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|used| young(used.time));
        if used.len() >= REMEMBERED || used.iter().any(|used| used.nonce == nonce) {
            return false;
        }
        used.push(Used { time, nonce });
        true
    }
}

/// When and with which number a code was made, if the key made it for this port.
fn read(key: &ApiKey, port: u16, offered: &str) -> Option<(u64, [u8; NONCE])> {
    let bytes = URL_SAFE_NO_PAD.decode(offered).ok()?;
    let (time, rest) = bytes.split_first_chunk::<TIME>()?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE>()?;
    let offered: &[u8; PROOF] = rest.try_into().ok()?;
    // Takes as long for a near miss as for a far one.
    proof(key, port, *time, nonce).ok()?.verify_slice(offered).ok()?;
    Some((u64::from_be_bytes(*time), *nonce))
}

fn proof(
    key: &ApiKey,
    port: u16,
    time: [u8; TIME],
    nonce: &[u8; NONCE],
) -> io::Result<Hmac<Sha256>> {
    let proof = Hmac::<Sha256>::new_from_slice(key.reveal().as_bytes());
    let proof = proof.map_err(io::Error::other)?;
    Ok(proof
        .chain_update(PURPOSE)
        .chain_update(port.to_be_bytes())
        .chain_update(time)
        .chain_update(nonce))
}

fn millis(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, in_millis)
}

fn in_millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
