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
use crate::escape::value_within;

/// Names that are said of a certificate that has none of those that are asked for.
const MOST_NAMES: usize = 5;
/// What is said of each.
const LONGEST_NAME: usize = 100;

/// Who may connect.
#[derive(Debug)]
pub(in crate::server) struct ClientCheck {
    /// The CA bundle that client certificates must be signed by; anyone may connect if `None`.
    pub(in crate::server) ca: Option<PathBuf>,
    /// Names of which the certificate must carry one, since the CA of a cluster signs for all its users; any if empty.
    pub(in crate::server) names: Vec<String>,
}

impl ClientCheck {
    /// What looks at client certificates; `None` if nothing does.
    pub(in crate::server) fn verifier(
        &self,
    ) -> Result<Option<Arc<dyn ClientCertVerifier>>, CertificateError> {
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

/// Lets in whose certificate is signed as it must be and carries one of the names.
#[derive(Debug)]
struct Named {
    signed: Arc<dyn ClientCertVerifier>,
    names: Vec<String>,
}

/// A client certificate that is signed as it must be, and is somebody else's.
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
        let found = found
            .into_iter()
            .take(MOST_NAMES)
            .map(|name| format!("`{}`", value_within(name, LONGEST_NAME)));
        let found: Vec<String> = found.collect();
        let wrong = WrongName {
            found: match found.is_empty() {
                true => "no name".to_owned(),
                false => found.join(", "),
            },
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
        let verified = self
            .signed
            .verify_client_cert(end_entity, intermediates, now)?;
        self.check(end_entity)?;
        Ok(verified)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

/// The DNS names, URIs and common names of a certificate.
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
    let names = certificate.subject_alternative_name().ok().flatten();
    let names = names.map_or(&[][..], |names| &names.value.general_names);
    names
        .iter()
        .filter_map(|name| match name {
            GeneralName::DNSName(name) | GeneralName::URI(name) => Some((*name).to_owned()),
            _ => None,
        })
        .collect()
}
