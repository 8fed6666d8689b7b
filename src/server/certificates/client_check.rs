// SPDX-License-Identifier: Apache-2.0
use std::path::PathBuf;
use std::sync::Arc;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, Error, OtherError, SignatureScheme};
use thiserror::Error;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

use super::certificate::{CertificateError, File};
use garden_gate_text::escape::value_within;

/// Maximum number of names in an error about a certificate with the wrong names.
const MOST_NAMES: usize = 5;
/// Maximum length of each of these names.
const LONGEST_NAME: usize = 100;

/// The requirements for client certificates.
#[derive(Debug)]
pub(crate) struct ClientCheck {
    /// The CA bundle for client certificates; `None` disables the check.
    pub(crate) ca: Option<PathBuf>,
    /// Names of which the certificate must have one, since a cluster's CA signs for all its users.
    /// Any if empty.
    pub(crate) names: Vec<String>,
}

impl ClientCheck {
    /// Returns the verifier of client certificates; `None` if they are not checked.
    pub(crate) fn verifier(&self) -> Result<Option<Arc<dyn ClientCertVerifier>>, CertificateError> {
        let Some(path) = &self.ca else {
            return Ok(None);
        };
        let file = File::new("--client-ca", path);
        let roots = Arc::new(file.roots()?);
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
        let signed = verifier.map_err(|error| CertificateError::Malformed {
            path: file.path,
            flag: file.flag,
            reason: error.to_string(),
        })?;
        if self.names.is_empty() {
            return Ok(Some(signed));
        }
        let names = self.names.clone();
        Ok(Some(Arc::new(Named { signed, names })))
    }
}

/// Accepts certificates that are signed correctly and have one of the names.
#[derive(Debug)]
struct Named {
    signed: Arc<dyn ClientCertVerifier>,
    names: Vec<String>,
}

/// A correctly signed client certificate with the wrong names.
#[derive(Debug, Error)]
#[error("the client certificate is for {found}, and only --client-name {wanted} may connect")]
struct WrongName {
    found: String,
    wanted: String,
}

impl Named {
    fn check(&self, certificate: &CertificateDer<'_>) -> Result<(), Error> {
        let found = names(certificate);
        if found.iter().any(|name| self.names.contains(name)) {
            return Ok(());
        }
        let found: Vec<String> = found
            .into_iter()
            .take(MOST_NAMES)
            .map(|name| format!("`{}`", value_within(name, LONGEST_NAME)))
            .collect();
        let wrong = WrongName {
            found: if found.is_empty() { "no name".to_owned() } else { found.join(", ") },
            wanted: self.names.join(" or "),
        };
        Err(Error::Other(OtherError(Arc::new(wrong))))
    }
}

impl ClientCertVerifier for Named {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.signed.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let verified = self.signed.verify_client_cert(end_entity, intermediates, now)?;
        self.check(end_entity)?;
        Ok(verified)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

/// Returns the DNS names, URIs and common names of a certificate.
fn names(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok((_, certificate)) = parse_x509_certificate(certificate) else {
        return Vec::new();
    };
    let mut names = alternative_names(&certificate);
    let common = certificate.subject().iter_common_name();
    names.extend(common.filter_map(|name| name.as_str().ok().map(str::to_owned)));
    names
}

fn alternative_names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let names = certificate
        .subject_alternative_name()
        .ok()
        .flatten()
        .map_or(&[][..], |names| &names.value.general_names);
    names
        .iter()
        .filter_map(|name| match name {
            GeneralName::DNSName(name) | GeneralName::URI(name) => Some((*name).to_owned()),
            _ => None,
        })
        .collect()
}
