// SPDX-License-Identifier: Apache-2.0
//! Checks the client certificate of a kubeconfig and its key, because kube's errors name the wrong one or neither.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kube::config::AuthInfo;
use rustls::Error;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use serde_json::Value;
use x509_parser::parse_x509_certificate;
use x509_parser::x509::X509Version;

use crate::files::{self, Limit};

/// PEM blocks of a user in a kubeconfig.
struct Pem {
    /// The field with the data or the file, for messages.
    name: String,
    contents: Vec<u8>,
}

/// Checks that TLS accepts the client certificate and the key of a user, if both can be read.
///
/// # Errors
/// Fails with the field or file that is wrong, and the remedy.
pub(super) fn check(user: &AuthInfo) -> Result<(), String> {
    // The key is a secret, which only its serialization contains as text.
    let user = serde_json::to_value(user).unwrap_or_default();
    let pair = Pem::of(&user, "client-certificate").zip(Pem::of(&user, "client-key"));
    // kube itself reports a missing or unreadable one.
    let Some((certificate, key)) = pair else {
        return Ok(());
    };
    let chain = certificate.chain()?;
    let parsed = key.key()?;
    match CertifiedKey::from_der(chain, parsed, &ring::default_provider()) {
        Ok(_) => Ok(()),
        Err(Error::InconsistentKeys(_)) => Err(format!(
            "the private key {} does not belong to the client certificate {}; use the key with which it was requested",
            key.name, certificate.name
        )),
        Err(error) => Err(format!(
            "the private key {} is not supported ({error}); use an RSA key of at least 2048 bits, or an ECDSA or Ed25519 key",
            key.name
        )),
    }
}

impl Pem {
    /// Reads the data or the file of a user, as kube does: the data takes precedence.
    fn of(user: &Value, field: &str) -> Option<Self> {
        let data = format!("{field}-data");
        if let Some(contents) = user[&data].as_str() {
            let contents = BASE64_STANDARD.decode(contents).ok()?;
            let name = format!("in `{data}`");
            return Some(Self { name, contents });
        }
        let path = user[field].as_str()?;
        let contents = files::read_within(path.as_ref(), Limit::PEM).ok()?;
        let name = format!("`{path}` ({field})");
        Some(Self { name, contents })
    }

    /// Returns the certificates, of which the first one is that of the user.
    fn chain(&self) -> Result<Vec<CertificateDer<'static>>, String> {
        let Self { name, contents } = self;
        let chain = CertificateDer::pem_slice_iter(contents)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| format!("the client certificate {name} is not PEM: {error}"))?;
        let Some(first) = chain.first() else {
            return Err(format!("the client certificate {name} has no PEM block `CERTIFICATE`"));
        };
        let version =
            parse_x509_certificate(first).map(|(_, certificate)| certificate.version()).map_err(
                |error| format!("the client certificate {name} cannot be read: {error}"),
            )?;
        match version {
            X509Version::V3 => Ok(chain),
            X509Version(version) => Err(format!(
                "the client certificate {name} has X.509 version {}, and only version 3 is supported; issue it again with version 3 (with openssl x509: -extfile), or use a token",
                version.saturating_add(1)
            )),
        }
    }

    fn key(&self) -> Result<PrivateKeyDer<'static>, String> {
        let Self { name, contents } = self;
        // `BEGIN ENCRYPTED PRIVATE KEY`, or `Proc-Type: 4,ENCRYPTED` in older files.
        if contents.windows(9).any(|it| it == b"ENCRYPTED") {
            return Err(format!(
                "the private key {name} is encrypted, which kubeconfigs do not support; decrypt it (openssl pkey)"
            ));
        }
        PrivateKeyDer::from_pem_slice(contents).map_err(|error| {
            format!("the private key {name} has no PEM block `PRIVATE KEY`, `RSA PRIVATE KEY` or `EC PRIVATE KEY` that can be read: {error}")
        })
    }
}
