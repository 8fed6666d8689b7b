use std::collections::BTreeMap;

use jiff::Timestamp;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

/// The keys of the Secret.
const LEAF: [&str; 2] = ["tls.crt", "tls.key"];
const AUTHORITY: [&str; 2] = ["ca.crt", "ca.key"];
const NEXT: [&str; 2] = ["next-ca.crt", "next-ca.key"];
const PREVIOUS: &str = "previous-ca.crt";

/// A certificate with its key, both as PEM, and what has to be known of the certificate.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Pair {
    pub certificate: String,
    pub key: String,
    pub validity: Validity,
    /// DNS names and addresses, in order.
    pub names: Vec<String>,
}

/// Seconds since 1970.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Validity {
    pub not_before: i64,
    pub not_after: i64,
}

impl Validity {
    pub(super) fn is_over(self, now: Timestamp) -> bool {
        now.as_second() >= self.not_after
    }

    /// Whether two thirds of the time have passed; clocks and failures have the last third.
    pub(super) fn is_due(self, now: Timestamp) -> bool {
        3 * (now.as_second() - self.not_before) >= 2 * (self.not_after - self.not_before)
    }
}

/// What the Secret holds.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Contents {
    /// The serving certificate.
    pub leaf: Pair,
    /// The CA that signed it.
    pub authority: Pair,
    /// The CA that will sign the next one, once everybody trusts it.
    pub next: Option<Pair>,
    /// Certificates of CAs that signed earlier ones, as PEM.
    pub previous: Vec<String>,
}

impl Contents {
    /// Reads the data of the Secret.
    ///
    /// # Errors
    /// What is missing or malformed.
    pub(super) fn read(data: &BTreeMap<String, String>) -> Result<Self, String> {
        let text = |key: &str| data.get(key).map_or("", String::as_str);
        let pair = |[certificate, key]: [&str; 2]| {
            Pair::read(text(certificate), text(key)).map_err(|why| format!("`{certificate}` {why}"))
        };
        let next = match text(NEXT[0]) {
            "" => None,
            _ => Some(pair(NEXT)?),
        };
        let previous = CertificateDer::pem_slice_iter(text(PREVIOUS).as_bytes());
        let previous: Result<Vec<String>, _> = previous.map(|it| it.map(|it| pem(&it))).collect();
        Ok(Self {
            leaf: pair(LEAF)?,
            authority: pair(AUTHORITY)?,
            next,
            previous: previous.map_err(|error| format!("`{PREVIOUS}` is not PEM: {error}"))?,
        })
    }

    /// The data of the Secret.
    pub(super) fn write(&self) -> BTreeMap<String, String> {
        let mut data = BTreeMap::new();
        let mut put = |[certificate, key]: [&str; 2], pair: &Pair| {
            data.insert(certificate.to_owned(), pair.certificate.clone());
            data.insert(key.to_owned(), pair.key.clone());
        };
        put(LEAF, &self.leaf);
        put(AUTHORITY, &self.authority);
        if let Some(next) = &self.next {
            put(NEXT, next);
        }
        data.insert(PREVIOUS.to_owned(), self.previous.concat());
        data
    }

    /// Everything that clients have to trust now: the CAs of certificates that may be in use, and of the next one.
    pub(super) fn bundle(&self, now: Timestamp) -> String {
        let next = self.next.as_ref().map(|next| &next.certificate);
        let current = [Some(&self.authority.certificate), next];
        let previous = self.previous.iter().filter(|pem| is_valid(pem, now));
        current
            .into_iter()
            .flatten()
            .chain(previous)
            .map(String::as_str)
            .collect()
    }

    /// The certificates in [`Self::previous`] that have not expired, and the present CA's, which is about to join them.
    pub(super) fn retired(&self, now: Timestamp) -> Vec<String> {
        let all = self.previous.iter().chain([&self.authority.certificate]);
        all.filter(|pem| is_valid(pem, now)).cloned().collect()
    }
}

fn is_valid(pem: &str, now: Timestamp) -> bool {
    Pair::read(pem, "").is_ok_and(|pair| !pair.validity.is_over(now))
}

impl Pair {
    /// # Errors
    /// What is wrong with the certificate.
    pub(super) fn read(certificate: &str, key: &str) -> Result<Self, String> {
        let der = CertificateDer::from_pem_slice(certificate.as_bytes())
            .map_err(|error| format!("holds no certificate: {error}"))?;
        let (_, parsed) = parse_x509_certificate(&der)
            .map_err(|error| format!("holds a certificate that cannot be read: {error}"))?;
        let names = parsed.subject_alternative_name().ok().flatten();
        let names = names.map_or(&[][..], |names| &names.value.general_names);
        let mut names: Vec<String> = names.iter().filter_map(name).collect();
        names.sort();
        Ok(Self {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            validity: Validity {
                not_before: parsed.validity().not_before.timestamp(),
                not_after: parsed.validity().not_after.timestamp(),
            },
            names,
        })
    }
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

fn pem(certificate: &CertificateDer<'_>) -> String {
    use base64::Engine as _;
    let text = base64::prelude::BASE64_STANDARD.encode(certificate);
    let lines: Vec<&str> = text
        .as_bytes()
        .chunks(64)
        .filter_map(|line| std::str::from_utf8(line).ok())
        .collect();
    format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
        lines.join("\n")
    )
}
