// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::pair::{Pair, pem};

/// The keys in the data of the Secret.
const LEAF: [&str; 2] = ["tls.crt", "tls.key"];
const AUTHORITY: [&str; 2] = ["ca.crt", "ca.key"];
const NEXT: [&str; 2] = ["next-ca.crt", "next-ca.key"];
const PREVIOUS: &str = "previous-ca.crt";
/// Maximum number of previous CAs.
///
/// Two are usual; repairs add more, and must not let the Secret grow without limit.
const MOST_PREVIOUS: usize = 20;

/// The valid contents of the Secret.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Contents {
    /// The serving certificate.
    pub leaf: Option<Pair>,
    /// The CA that signed it, possibly without its key.
    pub authority: Option<Pair>,
    /// The CA that will sign the next certificate once all clients trust it.
    pub next: Option<Pair>,
    /// CA certificates that signed earlier ones, as PEM, latest last.
    pub previous: Vec<String>,
}

impl Contents {
    /// Parses the data of the Secret.
    /// Returns the valid contents, and problems with the rest.
    pub(super) fn read(data: &BTreeMap<String, String>, now: Timestamp) -> (Self, Vec<String>) {
        let mut contents = Self::default();
        let mut problems = Vec::new();
        if data.values().all(String::is_empty) {
            return (contents, problems);
        }
        let text = |key: &str| data.get(key).map_or("", String::as_str);
        let texts = |keys: [&str; 2]| keys.map(text);
        contents.previous = previous(text(PREVIOUS), now, &mut problems);
        contents.authority = authority(AUTHORITY, texts(AUTHORITY), now, &mut problems);
        if texts(NEXT) != ["", ""] {
            contents.take_next(authority(NEXT, texts(NEXT), now, &mut problems));
        }
        let trusted: Vec<&str> = contents.authorities().collect();
        match Pair::leaf(texts(LEAF), &trusted, now, LEAF) {
            Ok(leaf) => contents.leaf = Some(leaf),
            Err(why) => problems.push(why),
        }
        (contents, problems)
    }

    /// Sets the next CA.
    ///
    /// A CA that cannot sign is kept as a previous one, since clients may already trust it.
    fn take_next(&mut self, next: Option<Pair>) {
        match next {
            Some(next) if !next.can_sign() => self.previous.push(next.certificate),
            next => self.next = next,
        }
    }

    /// Returns the data of the Secret.
    pub(super) fn write(&self) -> BTreeMap<String, String> {
        let mut data = BTreeMap::new();
        let pairs = [(LEAF, &self.leaf), (AUTHORITY, &self.authority), (NEXT, &self.next)];
        for ([certificate, key], pair) in pairs {
            if let Some(pair) = pair {
                data.insert(certificate.to_owned(), pair.certificate.clone());
                data.insert(key.to_owned(), pair.key.clone());
            }
        }
        data.insert(PREVIOUS.to_owned(), self.previous.concat());
        data
    }

    /// Returns the CA bundle for clients: CAs of certificates that may be in use, and the next CA.
    pub(super) fn bundle(&self, now: Timestamp) -> String {
        let mut bundle: Vec<&str> = Vec::new();
        for authority in self.authorities() {
            if may_be_in_use(authority, now) && !bundle.contains(&authority) {
                bundle.push(authority);
            }
        }
        bundle.concat()
    }

    /// Returns the previous CAs that may still be in use, including those of `leaving`.
    pub(super) fn retired(&self, leaving: [&Option<Pair>; 2], now: Timestamp) -> Vec<String> {
        let all =
            self.previous.iter().chain(leaving.into_iter().flatten().map(|it| &it.certificate));
        let mut retired: Vec<String> = Vec::new();
        for certificate in all {
            if may_be_in_use(certificate, now) && !retired.contains(certificate) {
                retired.push(certificate.clone());
            }
        }
        let too_many = retired.len().saturating_sub(MOST_PREVIOUS);
        retired.split_off(too_many)
    }

    fn authorities(&self) -> impl Iterator<Item = &str> {
        let current = [&self.authority, &self.next]
            .into_iter()
            .flatten()
            .map(|authority| authority.certificate.as_str());
        current.chain(self.previous.iter().map(String::as_str))
    }
}

impl Pair {
    /// Reports whether the key is known.
    pub(super) fn can_sign(&self) -> bool {
        !self.key.is_empty()
    }
}

/// Parses a CA.
/// If only its key is invalid, returns it without the key.
fn authority(
    files: [&str; 2],
    [certificate, key]: [&str; 2],
    now: Timestamp,
    problems: &mut Vec<String>,
) -> Option<Pair> {
    let authority = match Pair::authority(certificate, now) {
        Ok(authority) => authority,
        Err(why) => {
            problems.push(format!("`{}` {why}", files[0]));
            return None;
        }
    };
    match authority.clone().with_authority_key(key) {
        Ok(pair) => Some(pair),
        Err(why) => {
            problems.push(format!("`{}` {why}", files[1]));
            Some(authority)
        }
    }
}

/// Parses the certificates and returns those of CAs.
fn previous(text: &str, now: Timestamp, problems: &mut Vec<String>) -> Vec<String> {
    let mut previous = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(text.as_bytes()) {
        let certificate =
            certificate.map_err(|error| format!("is not PEM: {error}")).map(|it| pem(&it));
        match certificate.and_then(|it| Pair::authority(&it, now)) {
            Ok(authority) => previous.push(authority.certificate),
            Err(why) => problems.push(format!("`{PREVIOUS}` {why}")),
        }
    }
    previous
}

fn may_be_in_use(authority: &str, now: Timestamp) -> bool {
    Pair::authority(authority, now).is_ok_and(|pair| !pair.validity.is_long_over(now))
}
