//! What the environment and the user's configuration say of endpoints that speak chat completions.

use std::path::Path;

use awf_agents::{ApiKey, OpenAiSettings, ProxyVariables};
use awf_config::KeyGrant;

use crate::environment::Environment;

/// Where requests go when nobody says otherwise.
const PUBLIC: &str = "https://api.openai.com/v1";

/// The key of the environment is bound to the base URL of the environment; others to what the user granted.
pub(super) fn settings(
    environment: &Environment,
    keys: &[KeyGrant],
    home: &Path,
) -> OpenAiSettings {
    let var = |name: &str| environment.var(name).map(str::to_owned);
    // curl's rule: the upper case of this one may have come in by a web server.
    let either = |upper: &str, lower: &str| var(lower).or_else(|| var(upper));
    let key = |name: &str| environment.var(name).and_then(ApiKey::new);
    OpenAiSettings {
        default_base_url: var("OPENAI_BASE_URL").unwrap_or_else(|| PUBLIC.to_owned()),
        model: var("OPENAI_MODEL"),
        key: key("OPENAI_API_KEY"),
        grants: keys
            .iter()
            .filter_map(|grant| Some((grant.origin.clone(), key(&grant.env)?)))
            .collect(),
        proxies: ProxyVariables {
            https: either("HTTPS_PROXY", "https_proxy")
                .or_else(|| either("ALL_PROXY", "all_proxy")),
            http: var("http_proxy").or_else(|| either("ALL_PROXY", "all_proxy")),
            except: either("NO_PROXY", "no_proxy"),
        },
        sessions: home.join("agents/openai"),
    }
}
