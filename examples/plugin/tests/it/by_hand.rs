//! A plugin that no sound host started serves nobody and says why, on standard error alone.

use awf_plugin_sdk::wire;

use crate::host::{EXAMPLE, command};

#[track_caller]
fn refuses(variables: &[(&str, &str)], wanted: &str) {
    let output = command(EXAMPLE, &[]).envs(variables.iter().copied()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), wanted);
    assert_eq!(output.status.code(), Some(1));
}

const BY_HAND: &str = "\
this program is a plugin for awf and does nothing by itself
hint: give its path in `.awf/plugins.yaml`, then run `awf plugin list --operations`
";

#[test]
fn a_person_is_told_what_it_is() {
    refuses(&[], BY_HAND);
    refuses(&[(wire::COOKIE.0, "yes")], BY_HAND);
}

#[test]
fn another_protocol_is_not_spoken() {
    refuses(
        &[wire::COOKIE, (wire::PROTOCOL_VERSIONS, "2,3")],
        "the host speaks version `2,3` of the plugin protocol, this plugin speaks 1\n\
         hint: use a host and a plugin of the same time\n",
    );
}

#[test]
fn nothing_is_said_in_the_clear() {
    refuses(
        &[wire::COOKIE, (wire::PROTOCOL_VERSIONS, "1")],
        "the host gives no certificate, and this plugin speaks to nobody in the clear\n\
         hint: switch AutoMTLS on in the host; awf always does\n",
    );
}

/// It is what a newcomer reads first.
#[test]
fn the_example_fits_on_a_screen() {
    assert!(include_str!("../../src/main.rs").lines().count() < 40);
}
