//! What is kept of a finding, and what a run makes of it.

use awf_agents::Installed;
use awf_core::{AgentKind, Isolation};

use super::{Proof, Proofs, Verdict};

fn installed(kind: AgentKind, version: &str) -> Installed {
    let sha256 = "ab".repeat(32);
    Installed { kind, program: "/opt/codex".into(), version: version.to_owned(), sha256 }
}

fn proof(kind: AgentKind, version: &str, verdict: Verdict) -> Proof {
    let installed = installed(kind, version);
    Proof {
        agent: kind.as_str().to_owned(),
        version: installed.version,
        sha256: installed.sha256,
        awf_version: env!("CARGO_PKG_VERSION").to_owned(),
        login: "key".to_owned(),
        verdict,
        remains: Vec::new(),
        leaks: vec!["shell".to_owned()],
        at: "2026-01-01T00:00:00Z".to_owned(),
    }
}

#[test]
fn a_finding_is_of_one_version_of_one_file_and_one_awf() {
    let home = tempfile::TempDir::new().unwrap();
    let mut proofs = Proofs::load(home.path());
    proofs.keep(proof(AgentKind::Codex, "1.0", Verdict::Leaking)).unwrap();
    proofs.keep(proof(AgentKind::Codex, "1.0", Verdict::Proven)).unwrap();
    let older = Proof {
        awf_version: "0.0.1".to_owned(),
        ..proof(AgentKind::Codex, "0.9", Verdict::Proven)
    };
    proofs.keep(older).unwrap();
    let read = Proofs::load(home.path());
    assert_eq!(read.found.len(), 2);
    let of =
        |version: &str| read.isolation(AgentKind::Codex, &installed(AgentKind::Codex, version));
    assert_eq!(of("1.0"), Isolation::Certain);
    assert_eq!(of("1.1"), Isolation::Unproven);
    assert_eq!(of("0.9"), Isolation::Unproven);
    let other = Installed { sha256: "cd".repeat(32), ..installed(AgentKind::Codex, "1.0") };
    assert_eq!(read.isolation(AgentKind::Codex, &other), Isolation::Unproven);
}

#[test]
fn what_leaks_is_named() {
    let home = tempfile::TempDir::new().unwrap();
    let mut proofs = Proofs::load(home.path());
    proofs.keep(proof(AgentKind::Claude, "1.0", Verdict::Leaking)).unwrap();
    let of =
        |version: &str| proofs.isolation(AgentKind::Claude, &installed(AgentKind::Claude, version));
    assert_eq!(of("1.0"), Isolation::Leaking("shell".to_owned()));
    assert_eq!(of("2.0"), Isolation::Certain);
}

#[test]
fn a_broken_file_is_as_good_as_none() {
    let home = tempfile::TempDir::new().unwrap();
    std::fs::write(home.path().join("doctor.json"), "{").unwrap();
    assert_eq!(Proofs::load(home.path()).found, []);
}
