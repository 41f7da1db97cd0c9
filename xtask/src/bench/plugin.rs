//! A call of a plugin through awf, against a server that hands it to the plugin over gRPC and does nothing else; and how
//! long it takes until a plugin can be called.

use std::{fs, process::Command, time::Instant};

use anyhow::Result;
use serde_json::json;

use super::{
    figure::{Figure, percentile},
    rounds::side_by_side,
    setting::Setting,
};
use crate::client::{Call, Client, microseconds};

pub(crate) fn figures(setting: &Setting) -> Result<Vec<Figure>> {
    let plugin = setting.sibling("awf-plugin-example");
    let declared = json!({"plugins": [{"name": "example", "path": plugin}]});
    fs::create_dir_all(setting.root().join(".awf"))?;
    fs::write(setting.root().join(".awf/plugins.yaml"), declared.to_string())?;
    let tools = json!([{"plugin": "example", "expose": ["echo"]}]);
    let config =
        json!({"root": setting.root(), "intercept_builtins": false, "plugin_tools": tools});
    let file = setting.root().join("plugin.json");
    fs::write(&file, config.to_string())?;
    let awf = || {
        let mut awf = setting.awf_with(&["mcp-serve", "--config"]);
        awf.arg(&file);
        awf
    };
    let direct = || {
        let mut direct = crate::command::command(setting.sibling("examples/direct_call"));
        direct.arg(&plugin).arg("echo");
        direct
    };
    let wanted = r#""value":7"#;
    let bare = Call::new("echo", &json!({"value": 7}), wanted);
    let routed = Call::new("example_echo", &json!({"value": 7}), wanted);
    let count = setting.scale.calls;
    let calls = side_by_side(
        setting.scale.rounds,
        || median(direct(), &bare, count),
        || median(awf(), &routed, count),
    )?;
    let ready =
        side_by_side(setting.scale.starts, || first(direct(), &bare), || first(awf(), &routed))?;
    Ok(vec![
        Figure::ratio("a plugin's operation, p50", calls, 1.3),
        Figure::ratio("start to a plugin's first answer", ready, 3.0),
    ])
}

/// The first tenth warms up and does not count.
fn median(server: Command, call: &Call, count: usize) -> Result<f64> {
    let mut client = Client::open(server)?;
    client.repeat(call, count / 10)?;
    let times = client.repeat(call, count)?;
    client.close()?;
    Ok(percentile(times, 50))
}

fn first(server: Command, call: &Call) -> Result<f64> {
    let start = Instant::now();
    let mut client = Client::open(server)?;
    client.call(call)?;
    let took = microseconds(start.elapsed());
    client.close()?;
    Ok(took)
}
