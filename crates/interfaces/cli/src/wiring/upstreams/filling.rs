//! What the setting of a server comes to here: its variables filled in, its environment, its directory.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use awf_config::{ServerSetting, ServerTransport};
use awf_core::shown;
use awf_upstreams::{Transport, UpstreamSpec};

use crate::{
    environment::{Environment, is_withheld},
    variables::filled,
};

/// What every server finds in its environment; the rest is named in its setting.
const BASICS: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// What settings are filled in with.
pub(crate) struct Filling {
    /// Variables, for the basics and for `${NAME}`.
    pub(super) variables: HashMap<String, String>,
    /// Where servers run that say nothing else.
    dir: PathBuf,
}

impl Filling {
    pub(crate) fn new(dir: &Path, environment: &Environment) -> Self {
        Self { variables: environment.readable().into_iter().collect(), dir: dir.to_owned() }
    }

    /// What is started or asked. The error is what is in the way.
    pub(crate) fn spec(&self, setting: &ServerSetting) -> Result<UpstreamSpec, String> {
        let name = &setting.name;
        let unset = |variable: &str| {
            let why = if is_withheld(variable.as_ref()) {
                "awf gives to no server"
            } else {
                "is not set"
            };
            format!("server `{name}` wants the variable `{}`, which {why}", shown(variable))
        };
        let text = |text: &String| filled(&self.variables, text).map_err(unset);
        let transport = match &setting.transport {
            ServerTransport::Http { url, headers } => {
                let header = |(name, value): &(String, String)| Ok((name.clone(), text(value)?));
                let headers = headers.iter().map(header).collect::<Result<_, String>>()?;
                Transport::Http { url: text(url)?, headers }
            }
            ServerTransport::Stdio { command, args, env, cwd } => Transport::Stdio {
                command: text(command)?.into(),
                args: args
                    .iter()
                    .map(|arg| text(arg).map(OsString::from))
                    .collect::<Result<_, _>>()?,
                env: self.environment(env, &text)?,
                cwd: match cwd {
                    Some(cwd) => self.dir.join(text(cwd)?),
                    None => self.dir.clone(),
                },
            },
        };
        Ok(UpstreamSpec { name: name.clone(), transport, identity: setting.identity() })
    }

    /// The basics, and what the setting adds.
    fn environment(
        &self,
        added: &[(String, String)],
        text: &dyn Fn(&String) -> Result<String, String>,
    ) -> Result<Vec<(OsString, OsString)>, String> {
        let mut env: Vec<(OsString, OsString)> = BASICS
            .iter()
            .filter_map(|basic| Some((basic.into(), self.variables.get(*basic)?.into())))
            .collect();
        for (variable, value) in added {
            env.retain(|(known, _)| known != OsStr::new(variable));
            env.push((variable.into(), text(value)?.into()));
        }
        Ok(env)
    }
}
