//! What a plugin may say first, and what is made of anything else.

use super::*;

#[test]
fn a_line_is_read_as_it_is_written() {
    let said = Handshake { socket: "/tmp/plugin1".into(), certificate: vec![0, 255, 62, 63] };
    assert_eq!(said.to_string(), "1|1|unix|/tmp/plugin1|grpc|AP8+Pw");
    assert_eq!(Handshake::parse("1|1|unix|/tmp/plugin1|grpc|AP8+Pw\r\n"), Ok(said.clone()));
    assert_eq!(Handshake::parse("1|1|unix|/tmp/plugin1|grpc|AP8+Pw=="), Ok(said.clone()));
    assert_eq!(Handshake::parse("1|1|unix|/tmp/plugin1|grpc|AP8+Pw|true"), Ok(said));
}

#[test]
fn each_fault_has_its_own_words() {
    let rows = [
        ("starting up", "its first line is no handshake: `starting up`"),
        ("a|b|c|d|e", "its first line is no handshake: `a|b|c|d|e`"),
        ("2|1|unix|/s|grpc|AAAA", "it speaks version `2` of the handshake, awf speaks 1"),
        ("1|7|unix|/s|grpc|AAAA", "it speaks version `7` of the plugin protocol, awf speaks 1"),
        ("1|1|tcp|127.0.0.1:9|grpc|AAAA", "it listens on `tcp`, awf takes a Unix socket"),
        ("1|1|unix|/s", "it speaks `netrpc`, awf speaks grpc"),
        ("1|1|unix|/s|grpc", "it gives no certificate: it was built without AutoMTLS"),
        ("1|1|unix|/s|grpc|", "it gives no certificate: it was built without AutoMTLS"),
        ("1|1|unix|/s|grpc|!!", "its certificate is not base64"),
    ];
    for (line, words) in rows {
        assert_eq!(Handshake::parse(line).unwrap_err().to_string(), words, "{line}");
    }
}
