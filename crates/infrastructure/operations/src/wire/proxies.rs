//! The proxies of the environment. Requests to this machine take none.

use std::{ffi::OsString, net::IpAddr};

use reqwest::{NoProxy, Proxy, Url};

use crate::trouble::Trouble;

/// What the environment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProxyVariables {
    https: Option<String>,
    http: Option<String>,
    except: Option<String>,
}

impl ProxyVariables {
    /// Small letters come first.
    pub(super) fn read(env: &[(OsString, OsString)]) -> Self {
        let var = |name: &str| {
            let value =
                env.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.to_str());
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let either = |upper: &str, lower: &str| var(lower).or_else(|| var(upper));
        let all = || either("ALL_PROXY", "all_proxy");
        Self {
            https: either("HTTPS_PROXY", "https_proxy").or_else(all),
            // curl's rule: the upper case of this one may have come in by a web server.
            http: var("http_proxy").or_else(all),
            except: either("NO_PROXY", "no_proxy"),
        }
    }

    pub(super) fn proxies(&self) -> Result<Vec<Proxy>, Trouble> {
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        let made = [
            self.https.as_ref().map(|url| ("https_proxy", Proxy::https(url))),
            self.http.as_ref().map(|url| ("http_proxy", Proxy::http(url))),
        ];
        let made = made.into_iter().flatten().map(|(name, proxy)| match proxy {
            Ok(proxy) => Ok(proxy.no_proxy(except.clone())),
            // The variable may hold a password.
            Err(_) => Err(Trouble::told(format!("the variable `{name}` does not name a proxy"))),
        });
        made.collect()
    }
}

/// Whether a place is on this machine.
pub(super) fn is_near(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
