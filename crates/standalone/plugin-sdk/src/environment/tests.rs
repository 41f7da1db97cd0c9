//! Who is welcome: a host of ours, of our time, with a certificate.

use super::{Environment, Unwelcome};
use crate::certificate::Identity;

fn sound() -> Environment {
    Environment {
        cookie: Some("awf-plugin-v1".to_owned()),
        versions: Some("2, 1".to_owned()),
        client_certificate: Some(
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert.pem(),
        ),
        socket_dir: None,
    }
}

#[track_caller]
fn refused(change: impl FnOnce(&mut Environment), why: &Unwelcome) {
    let mut environment = sound();
    change(&mut environment);
    assert_eq!(environment.welcome().unwrap_err(), *why);
}

#[test]
fn a_host_is_welcome_by_its_certificate() {
    let certificate = sound().welcome().unwrap();
    assert!(certificate.len() > 100);
}

#[test]
fn others_are_told_why_not() {
    refused(|environment| environment.cookie = None, &Unwelcome::ByHand);
    refused(|environment| environment.cookie = Some("yes".to_owned()), &Unwelcome::ByHand);
    refused(|environment| environment.versions = None, &Unwelcome::Versions(String::new()));
    let other = "2,11";
    refused(
        |environment| environment.versions = Some(other.to_owned()),
        &Unwelcome::Versions(other.to_owned()),
    );
    refused(|environment| environment.client_certificate = None, &Unwelcome::NoCertificate);
    refused(
        |environment| environment.client_certificate = Some("?".to_owned()),
        &Unwelcome::BadCertificate,
    );
}

#[test]
fn the_own_certificate_is_fresh_each_time() {
    let (one, two) = (Identity::fresh().unwrap(), Identity::fresh().unwrap());
    assert_ne!(one.certificate, two.certificate);
}
