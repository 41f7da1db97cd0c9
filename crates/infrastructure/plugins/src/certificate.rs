//! Who is who on the socket of a plugin: our certificate, made for one start, and theirs, known from its first line.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use awf_plugin_sdk::wire::SERVER_NAME;
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime},
    version::{TLS12, TLS13},
};

/// Our certificate and its key.
pub(crate) struct Identity {
    /// As the plugin is told it.
    pub(crate) pem: String,
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Makes a new one.
    pub(crate) fn generate() -> Result<Self, rcgen::Error> {
        // P-256: go-plugin takes any curve, and this one costs least.
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new([SERVER_NAME.to_owned()])?;
        params.distinguished_name.push(DnType::CommonName, SERVER_NAME);
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ClientAuth, ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.self_signed(&key)?;
        let pem = certificate.pem();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        Ok(Self { pem, certificate: certificate.into(), key })
    }

    /// How to meet the plugin with that certificate, and nobody else.
    pub(crate) fn config(self, pinned: &Arc<Pinned>) -> io::Result<ClientConfig> {
        let builder = ClientConfig::builder_with_provider(pinned.provider.clone())
            .with_protocol_versions(&[&TLS13, &TLS12])
            .map_err(io::Error::other)?
            .dangerous()
            .with_custom_certificate_verifier(pinned.clone());
        let config = builder.with_client_auth_cert(vec![self.certificate], self.key);
        let mut config = config.map_err(io::Error::other)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(config)
    }
}

/// Takes one certificate, byte for byte, and no other. The stock verifier would refuse it, for go-plugin marks the
/// certificates of its servers as those of an authority; and equal bytes say more than a chain.
#[derive(Debug)]
pub(crate) struct Pinned {
    certificate: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
    differs: AtomicBool,
}

impl Pinned {
    pub(crate) fn new(certificate: Vec<u8>) -> Arc<Self> {
        // Not `ring`, which cannot verify P-521.
        let provider = Arc::new(aws_lc_rs::default_provider());
        let certificate = CertificateDer::from(certificate);
        Arc::new(Self { certificate, provider, differs: AtomicBool::new(false) })
    }

    /// Whether another certificate was shown.
    pub(crate) fn differs(&self) -> bool {
        self.differs.load(Ordering::Relaxed)
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *end_entity == self.certificate {
            return Ok(ServerCertVerified::assertion());
        }
        self.differs.store(true, Ordering::Relaxed);
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
