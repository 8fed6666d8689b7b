// SPDX-License-Identifier: Apache-2.0
//! Certificates with their keys, read from a Secret that other clients may have modified.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rcgen::{Issuer, KeyPair};
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::sign::CertifiedKey;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

use crate::server::clock::LIMIT;

/// A certificate and its key as PEM, with parsed properties.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(super) struct Pair {
    pub certificate: String,
    /// The private key; empty if that of a CA is lost.
    pub key: String,
    pub validity: Validity,
    /// The DNS names and IP addresses, sorted.
    pub names: Vec<String>,
}

/// A validity period in seconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Validity {
    pub not_before: i64,
    pub not_after: i64,
}

impl Validity {
    /// Maximum time for which a CA is trusted after it expires.
    const LONGEST_MARGIN: SignedDuration = SignedDuration::from_hours(24);

    pub(super) fn is_over(self, now: Timestamp) -> bool {
        now.as_second() >= self.not_after
    }

    /// Reports whether two thirds of the period have passed.
    /// The last third is reserved for clock skew and failures.
    pub(super) fn is_due(self, now: Timestamp) -> bool {
        3 * (now.as_second() - self.not_before) >= 2 * (self.not_after - self.not_before)
    }

    /// Reports whether the period begins in the future, because the issuer's clock was wrong.
    pub(super) fn is_premature(self, now: Timestamp) -> bool {
        self.not_before > now.as_second() + LIMIT.as_secs()
    }

    /// Reports whether the period has ended even with clock skew, so that dropping the CA is safe.
    pub(super) fn is_long_over(self, now: Timestamp) -> bool {
        let margin = (self.not_after - self.not_before).min(Self::LONGEST_MARGIN.as_secs());
        now.as_second() >= self.not_after + margin
    }

    fn middle(self) -> UnixTime {
        let middle = self.not_before + (self.not_after - self.not_before) / 2;
        let middle = u64::try_from(middle).unwrap_or_default();
        UnixTime::since_unix_epoch(std::time::Duration::from_secs(middle))
    }
}

impl Pair {
    /// Parses the certificate of a CA, without its key.
    ///
    /// # Errors
    /// Fails with the reason if it is invalid.
    pub(super) fn authority(certificate: &str, now: Timestamp) -> Result<Self, String> {
        let (pair, is_ca) = Self::read(certificate, now)?;
        if is_ca { Ok(pair) } else { Err("is not the certificate of a CA".to_owned()) }
    }

    /// Adds the key of a CA.
    ///
    /// # Errors
    /// Fails with the reason if the key cannot sign for the CA.
    pub(super) fn with_authority_key(mut self, key: &str) -> Result<Self, String> {
        self.check_key(key)?;
        KeyPair::from_pem(key)
            .and_then(|key| Issuer::from_ca_cert_pem(&self.certificate, key).map(drop))
            .map_err(|error| format!("cannot sign certificates: {error}"))?;
        key.clone_into(&mut self.key);
        Ok(self)
    }

    /// Parses a serving certificate with its key; one of `authorities` must have signed it.
    ///
    /// # Errors
    /// Fails with the reason, which names one of `files`.
    pub(super) fn leaf(
        [certificate, key]: [&str; 2],
        authorities: &[&str],
        now: Timestamp,
        files: [&str; 2],
    ) -> Result<Self, String> {
        let of = |file: usize| move |why: String| format!("`{}` {why}", files[file]);
        let (mut pair, _) = Self::read(certificate, now).map_err(of(0))?;
        pair.check_key(key).map_err(of(1))?;
        pair.check_signature(authorities).map_err(of(0))?;
        key.clone_into(&mut pair.key);
        Ok(pair)
    }

    /// Parses a certificate and normalizes its PEM.
    /// Also returns whether it belongs to a CA.
    fn read(certificate: &str, now: Timestamp) -> Result<(Self, bool), String> {
        let der = der(certificate)?;
        let (_, parsed) = parse_x509_certificate(&der)
            .map_err(|error| format!("holds a certificate that cannot be read: {error}"))?;
        let mut names: Vec<String> = parsed
            .subject_alternative_name()
            .ok()
            .flatten()
            .map_or(&[][..], |names| &names.value.general_names)
            .iter()
            .filter_map(name)
            .collect();
        names.sort();
        let validity = Validity {
            not_before: parsed.validity().not_before.timestamp(),
            not_after: parsed.validity().not_after.timestamp(),
        };
        if validity.is_premature(now) {
            let begin = parsed.validity().not_before;
            return Err(format!("is not valid before {begin}, so some clock is wrong"));
        }
        let pair = Self { certificate: pem(&der), key: String::new(), validity, names };
        Ok((pair, parsed.is_ca()))
    }

    fn check_key(&self, key: &str) -> Result<(), String> {
        let chain = vec![der(&self.certificate)?];
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
            .map_err(|error| format!("holds no private key: {error}"))?;
        CertifiedKey::from_der(chain, key, &ring::default_provider())
            .map(drop)
            .map_err(|error| format!("does not match the certificate: {error}"))
    }

    /// Checks that clients which trust `authorities` accept the certificate during its validity period.
    fn check_signature(&self, authorities: &[&str]) -> Result<(), String> {
        let mut roots = RootCertStore::empty();
        for authority in authorities {
            // An unusable CA has signed nothing.
            let _ = roots.add(der(authority)?);
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|error| format!("is not signed by a CA: {error}"))?;
        let mut names = self.names.iter().map(String::as_str);
        let name = names.find_map(|name| ServerName::try_from(name).ok()).ok_or("has no name")?;
        let middle = self.validity.middle();
        verifier
            .verify_server_cert(&der(&self.certificate)?, &[], &name, &[], middle)
            .map(drop)
            .map_err(|error| format!("is not valid for clients that trust the CA: {error}"))
    }
}

fn der(certificate: &str) -> Result<CertificateDer<'static>, String> {
    CertificateDer::from_pem_slice(certificate.as_bytes())
        .map_err(|error| format!("holds no certificate: {error}"))
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => address(bytes),
        _ => None,
    }
}

fn address(bytes: &[u8]) -> Option<String> {
    if let Ok(v4) = <[u8; 4]>::try_from(bytes) {
        return Some(std::net::Ipv4Addr::from(v4).to_string());
    }
    let v6 = <[u8; 16]>::try_from(bytes).ok()?;
    Some(std::net::Ipv6Addr::from(v6).to_string())
}

pub(super) fn pem(certificate: &CertificateDer<'_>) -> String {
    use base64::Engine as _;
    let text = base64::prelude::BASE64_STANDARD.encode(certificate);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}
