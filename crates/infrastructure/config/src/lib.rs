//! awf-config: files a person writes, parsed with their places. As typed first, then as meant; never half of one.
//!
//! The only crate that knows YAML, and TOML where another program writes it. It starts nothing and decides nothing: it says what a file means, or what is wrong
//! with it and where.

mod file;
mod import;
mod limits;
mod period;
mod plugins;
mod policy;
mod reader;
mod schema;
mod script;
mod secrets;
mod serve;
mod servers;
mod settings;
mod text_edit;
mod workflow;
mod yaml;

pub use file::read_text;
pub use import::{Importable, ImportedServer, read_import};
pub use plugins::{
    Lock, LockedPlugin, PluginPlaces, PluginSwitch, Switched, load_plugins, read_lock, set_enabled,
    write_lock,
};
pub use policy::ActivitySetting;
pub use script::{parse_script, script_schema};
pub use secrets::secrets_of_file;
pub use serve::{RelayConfig, ServeConfig, Served, load_served};
pub use servers::{
    Edit, NewServer, ServerOrigin, ServerSetting, ServerTransport, Switch, Unusable,
    UnusableServer, add_server, check_header, check_server_name, check_url, check_variable,
    is_same_name, remove_server,
};
pub use settings::{
    KeyGrant, Settings, SettingsFiles, TelemetrySettings, config_schema, load_settings,
};
pub use workflow::{ParsedWorkflow, parse_workflow, workflow_schema};
