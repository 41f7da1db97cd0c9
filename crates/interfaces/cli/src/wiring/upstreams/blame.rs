//! What to look at when a server cannot be used: what it lacks, or the place that says how it is reached.

use std::ffi::OsStr;

use awf_config::{ServerSetting, ServerTransport};
use awf_core::{Code, Diagnostic, ToolFailure, shown};
use awf_tools::NoSource;
use awf_upstreams::Transport;

use super::Filling;
use crate::{
    environment::is_withheld, report::CommandError, table::printable, variables::filled,
    wiring::Upstreams,
};

impl Filling {
    /// What can be seen to be in the way of a server without starting it.
    pub(crate) fn fault(&self, setting: &ServerSetting) -> Option<Diagnostic> {
        let reason = match self.spec(setting) {
            Err(unset) => unset,
            Ok(spec) => {
                let program = missing_program(&spec.transport)?;
                format!("the program `{}` is not found", shown(&program))
            }
        };
        let finding = Diagnostic::new(Code::ServerUnavailable, reason);
        Some(finding.hinting(self.hint(setting)).at(setting.place.clone()))
    }

    /// What to do, to be followed by where.
    fn hint(&self, setting: &ServerSetting) -> String {
        if let Some((key, variable)) = self.unset(setting) {
            return if is_withheld(OsStr::new(variable)) {
                format!("set it under another name, and change `{key}`")
            } else {
                format!("set `{}`, or change `{key}`", shown(variable))
            };
        }
        let spec = self.spec(setting).ok();
        match (spec.and_then(|spec| missing_program(&spec.transport)), &setting.transport) {
            (Some(program), _) => format!("install `{}`, or change `command`", shown(&program)),
            (None, ServerTransport::Stdio { .. }) => "check its `command`".to_owned(),
            (None, ServerTransport::Http { .. }) => "check its `url`".to_owned(),
        }
    }

    /// The first variable that is wanted and not there, and the key that wants it.
    fn unset<'s>(&self, setting: &'s ServerSetting) -> Option<(&'static str, &'s str)> {
        let texts = texts(&setting.transport).into_iter();
        let mut unset =
            texts.filter_map(|(key, text)| Some((key, filled(&self.variables, text).err()?)));
        unset.next()
    }
}

impl Upstreams {
    /// Why a server cannot be used, and what to look at.
    pub(crate) fn blamed(&self, name: &str, why: NoSource) -> CommandError {
        let hint = match (why.code, self.setting(name)) {
            (Code::ServerUnavailable, Ok(setting)) => {
                let (file, line) =
                    (setting.origin.file().display().to_string(), setting.place.line);
                Some(format!("{} at {}:{line}", self.filling.hint(setting), printable(&file)))
            }
            (_, Ok(_) | Err(_)) => None,
        };
        let error = CommandError::from(why);
        match hint {
            Some(hint) => error.hinting(&hint),
            None => error,
        }
    }

    /// The same for a call that a server should have answered; what else failed is told as it is.
    pub(crate) fn blamed_call(&self, name: &str, failure: ToolFailure) -> CommandError {
        match failure {
            ToolFailure::Unavailable(reason) if self.setting(name).is_ok() => {
                self.blamed(name, NoSource { code: Code::ServerUnavailable, reason })
            }
            other => other.into(),
        }
    }
}

/// Every text of a setting that variables are filled into, by its key.
fn texts(transport: &ServerTransport) -> Vec<(&'static str, &String)> {
    match transport {
        ServerTransport::Stdio { command, args, env, cwd } => {
            let args = args.iter().map(|text| ("args", text));
            let env = env.iter().map(|(_, text)| ("env", text));
            let cwd = cwd.iter().map(|text| ("cwd", text));
            [("command", command)].into_iter().chain(args).chain(env).chain(cwd).collect()
        }
        ServerTransport::Http { url, headers } => {
            let headers = headers.iter().map(|(_, text)| ("headers", text));
            [("url", url)].into_iter().chain(headers).collect()
        }
    }
}

/// A program that is not where it would be looked for: a path from where the server runs, a name in the `PATH` it gets.
fn missing_program(transport: &Transport) -> Option<String> {
    let Transport::Stdio { command, env, cwd, .. } = transport else { return None };
    let path = env.iter().find(|(name, _)| name == OsStr::new("PATH")).map(|(_, path)| path);
    let found = if command.as_encoded_bytes().contains(&b'/') {
        cwd.join(command).is_file()
    } else {
        let mut folders = path.into_iter().flat_map(std::env::split_paths);
        folders.any(|folder| cwd.join(folder).join(command).is_file())
    };
    (!found).then(|| command.to_string_lossy().into_owned())
}
