//! The certificate of a plugin, made anew at each start, in the form that Go's plugins have.

use rcgen::{
    BasicConstraints, CertificateParams, DnType, Error, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P521_SHA512,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::wire::SERVER_NAME;

/// A certificate and its key.
pub(crate) struct Identity {
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Signed by itself and marked as an authority: hosts put it among their roots, and nothing else.
    pub(crate) fn fresh() -> Result<Self, Error> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512)?;
        let mut params = CertificateParams::new([SERVER_NAME.to_owned()])?;
        params.distinguished_name.push(DnType::CommonName, SERVER_NAME);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![
            KeyUsagePurpose::DigitalSignature,
            KeyUsagePurpose::KeyEncipherment,
            KeyUsagePurpose::KeyAgreement,
            KeyUsagePurpose::KeyCertSign,
        ];
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ClientAuth, ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.self_signed(&key)?.der().clone();
        Ok(Self { certificate, key: key.into() })
    }
}
