//! The secrets themselves, and every form one may be found in.

/// The secrets, by the way each of them takes.
#[rustfmt::skip]
pub(super) const CANARIES: [&str; 69] = [
    // The environment of awf, as the shell of a tool prints it: in the clear and in every form it may take.
    "env plain", "env base64", "env hex", "env in json", "env percent", "env address", "env failing", "env client",
    // Arguments of calls by name and through variants.
    "arg assignment", "arg header", "arg json text", "arg reason", "arg name", "arg key", "arg flag", "arg rest", "arg http", "arg cli",
    // What tools answer.
    "result text", "result structured", "result error", "result refused",
    // What servers are given.
    "server env", "server env key", "server variable", "server variable key", "server args", "server header",
    "server custom header", "server user", "server query", "server path key",
    // What servers say when they die.
    "stderr plain", "stderr base64", "stderr cut", "stdout opening",
    // Plugins.
    "plugin token", "plugin nested", "plugin key",
    // Workflows.
    "input secret", "input base64", "input failing", "input called", "input neutral", "input resumed",
    "state env", "state env key",
    // Programs of agents.
    "agent key", "agent env", "agent prompt", "agent rule",
    // Endpoints.
    "endpoint key", "endpoint arguments", "endpoint grant",
    // awf itself.
    "own key", "own config",
    // Files that are wrong beside a secret.
    "quoted env key", "quoted header", "quoted server key", "quoted address", "quoted text", "quoted plugin key",
    "quoted broken key",
    // Servers of other programs, before they are taken over.
    "import args", "import env", "import env key", "import header", "import path key", "import wrong address",
];

/// A secret of its own for each way, of 24 letters and digits. Those that only their looks can tell hold nothing else.
pub(super) fn canary(way: &str) -> String {
    let number = CANARIES.iter().position(|known| *known == way);
    let number = number.unwrap_or_else(|| panic!("no canary takes the way `{way}`"));
    if way == "own key" {
        // What a key of awf looks like.
        return format!("{:064x}", 0xc0ff_ee11_u128 << 90 | 0x1234_5678_9abc);
    }
    let tail = if way.ends_with("key") { "7Kx" } else { "+/?" };
    format!("Cn4ry{number:02}q{:013x}{tail}", (number + 3) * 0x0005_dee6_6c3f)
}

/// Every form a secret may be found in.
pub(super) fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let percent = bytes.iter().map(|byte| match byte {
        b'+' | b'/' | b'?' => format!("%{byte:02X}"),
        byte => char::from(*byte).to_string(),
    });
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    let mut forms = vec![secret.to_owned(), percent.collect(), hex.to_uppercase(), hex];
    forms.extend((0..3).map(|offset| base64(bytes, offset)));
    forms
}

/// The base64 digits that `bytes` alone decide when they stand `offset` bytes into a group.
fn base64(bytes: &[u8], offset: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<String> = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let bits = bits.concat();
    let bits = &bits[(6 - offset * 8 % 6) % 6..];
    let groups = bits.as_bytes().chunks_exact(6);
    let digit = |bits: &[u8]| {
        let number = usize::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap();
        char::from(DIGITS[number])
    };
    groups.map(digit).collect()
}

pub(super) fn percent(secret: &str) -> String {
    forms(secret)[1].clone()
}
