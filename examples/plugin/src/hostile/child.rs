//! Leaves a grandchild behind: in a session of its own, so that killing the plugin's group does not reach it.

use std::process::{Command, ExitCode, Stdio};

use awf_plugin_sdk::{Operation, Plugin, Reply};

/// The operation `child` tells which process it is.
pub(crate) fn serve(plugin: Plugin) -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "it is left behind on purpose")]
    let mut command = Command::new("setsid");
    let command = command.args(["sleep", "600"]).stdin(Stdio::null()).stdout(Stdio::null());
    match command.spawn() {
        Ok(child) => {
            let child = child.id();
            let tell = move |_: &_| Ok(Reply::text(child.to_string()));
            plugin.operation(Operation::new("child", tell)).serve()
        }
        Err(error) => crate::fails(4, &format!("cannot start `setsid sleep`: {error}")),
    }
}
