//! Whether a request was meant for us: by the name it was sent to, and by the page that sent it.
//!
//! A browser can be led to talk to loopback under a name of an attacker's choice; the name in `Host` gives that away.

use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};

use crate::{house::House, problem::Problem};

/// Where we are.
pub(crate) struct Place<'a> {
    port: u16,
    hosts: &'a [String],
}

/// How a name is ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ours {
    Loopback,
    /// A name from the settings; somebody else may speak TLS for us there.
    Configured,
}

impl<'a> Place<'a> {
    pub(crate) fn of(house: &'a House) -> Self {
        Self { port: house.port, hosts: &house.settings.hosts }
    }

    pub(crate) fn check(&self, request: &Request) -> Result<(), Problem> {
        let foreign = |code, detail| Problem::new(StatusCode::FORBIDDEN, code, detail);
        let headers = request.headers();
        let host =
            only(headers, header::HOST).and_then(|host| self.own(host).map(|ours| (host, ours)));
        let Some((host, ours)) = host else {
            return Err(foreign(
                "FOREIGN_HOST",
                "the request was not sent to a name of this server",
            ));
        };
        // The full form of a request line names the host a second time.
        let target = request.uri().authority().map(axum::http::uri::Authority::as_str);
        if target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
            return Err(foreign("FOREIGN_HOST", "the request names two hosts"));
        }
        if headers.contains_key(header::ORIGIN)
            && !only(headers, header::ORIGIN).is_some_and(|origin| is_own(origin, host, ours))
        {
            return Err(foreign(
                "FOREIGN_ORIGIN",
                "the request comes from a page of another origin",
            ));
        }
        Ok(())
    }

    /// Whether a page of ours is said to have sent this: what changes anything must say so.
    pub(crate) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let host = only(headers, header::HOST);
        let said = only(headers, header::ORIGIN).zip(host);
        said.is_some_and(|(origin, host)| {
            self.own(host).is_some_and(|ours| is_own(origin, host, ours))
        })
    }

    fn own(&self, host: &str) -> Option<Ours> {
        let with_port = |name: &str| format!("{name}:{}", self.port);
        let configured = self.hosts.iter().any(|name| {
            name.eq_ignore_ascii_case(host) || with_port(name).eq_ignore_ascii_case(host)
        });
        if configured {
            return Some(Ours::Configured);
        }
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()?),
            _ => (host, 80),
        };
        let address =
            name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let loopback = name.eq_ignore_ascii_case("localhost")
            || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        (loopback && port == self.port).then_some(Ours::Loopback)
    }
}

fn is_own(origin: &str, host: &str, ours: Ours) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let scheme = match ours {
        Ours::Loopback => scheme == "http",
        Ours::Configured => scheme == "http" || scheme == "https",
    };
    scheme && authority.eq_ignore_ascii_case(host)
}

/// The value of a header that is there once.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}

#[cfg(test)]
mod tests;
