//! The server and the client over an in-memory stream, as any peer would see them.

#[cfg(test)]
mod client;
#[cfg(test)]
mod client_hostile;
#[cfg(test)]
mod peer;
#[cfg(test)]
mod server_calls;
#[cfg(test)]
mod server_eras;
#[cfg(test)]
mod server_fidelity;
#[cfg(test)]
mod server_listing;
#[cfg(test)]
mod server_load;
#[cfg(test)]
mod server_wire;
#[cfg(test)]
mod upstream;

#[test]
fn no_test_file_is_forgotten() {
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(
            module == "main" || listed.contains(&format!("mod {module};")),
            "{name} is not part of main.rs"
        );
    }
}
