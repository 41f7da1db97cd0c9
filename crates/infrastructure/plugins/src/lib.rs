//! awf-plugins: programs behind the wire of go-plugin.
//!
//! A plugin is a program that the user named. It is started through a guard when it is first used, proves by the
//! certificate of its first line that it is the one that was started, and answers calls over its socket until it is
//! closed. What goes wrong in it is one failed call: it may die, hang, lie or talk without end.

mod call;
mod certificate;
mod channel;
mod error;
mod greeting;
mod inventory;
mod line;
mod plugins;
mod process;
mod program;
mod running;
mod said;
mod slot;
mod spec;
mod validation;
mod values;

pub use error::PluginError;
pub use inventory::{Inventory, PluginInfo};
pub use plugins::Plugins;
pub use program::{fingerprint, locate};
pub use spec::PluginSpec;
pub use validation::{Issue, IssueSeverity};
