// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};

use super::contents::Contents;
use super::pair::{Pair, Validity};
use super::plan::{Lifetimes, Step};
use crate::server::CertificateError;

/// Returns the contents of the Secret after a step.
pub(super) fn take(
    step: Step,
    contents: Contents,
    names: &[String],
    lifetimes: Lifetimes,
    now: Timestamp,
) -> Result<Contents, CertificateError> {
    let leaf = |authority: &Pair| leaf(authority, names, lifetimes, now).map(Some);
    match (step, &contents) {
        (Step::RenewLeaf, Contents { authority: Some(authority), .. }) => {
            let leaf = leaf(authority)?;
            Ok(Contents { leaf, ..contents })
        }
        (Step::AddAuthority, _) => {
            let next = Some(authority(lifetimes, now)?);
            Ok(Contents { next, ..contents })
        }
        (Step::UseNextAuthority, Contents { next: Some(authority), .. }) => Ok(Contents {
            leaf: leaf(authority)?,
            authority: contents.next.clone(),
            next: None,
            previous: contents.retired([&contents.authority, &None], now),
        }),
        (Step::Keep, _) => Ok(contents),
        // The CAs in the former contents remain trusted.
        (Step::Create | Step::RenewLeaf | Step::UseNextAuthority, _) => {
            let authority = authority(lifetimes, now)?;
            Ok(Contents {
                leaf: leaf(&authority)?,
                authority: Some(authority),
                next: None,
                previous: contents.retired([&contents.authority, &contents.next], now),
            })
        }
    }
}

fn authority(lifetimes: Lifetimes, now: Timestamp) -> Result<Pair, CertificateError> {
    let validity = validity(lifetimes.authority, now);
    let mut params = dated(CertificateParams::default(), validity);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    // Two CAs need different names; otherwise clients may try only the wrong one.
    let name = format!("garden-gate CA {now}");
    params.distinguished_name.push(DnType::CommonName, name);
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?.pem();
    Ok(Pair { certificate, key: key.serialize_pem(), validity, names: Vec::new() })
}

fn leaf(
    authority: &Pair,
    names: &[String],
    lifetimes: Lifetimes,
    now: Timestamp,
) -> Result<Pair, CertificateError> {
    let mut validity = validity(lifetimes.leaf, now);
    validity.not_after = validity.not_after.min(authority.validity.not_after);
    let mut params = dated(CertificateParams::new(names.to_vec())?, validity);
    params.use_authority_key_identifier_extension = true;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.distinguished_name.push(DnType::CommonName, "garden-gate");
    let issuer = KeyPair::from_pem(&authority.key)?;
    let issuer = Issuer::from_ca_cert_pem(&authority.certificate, issuer)?;
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, &issuer)?.pem();
    Ok(Pair { certificate, key: key.serialize_pem(), validity, names: names.to_vec() })
}

fn validity(lifetime: SignedDuration, now: Timestamp) -> Validity {
    let seconds = now.as_second();
    Validity {
        not_before: seconds - Lifetimes::backdate(lifetime).as_secs(),
        not_after: seconds + lifetime.as_secs(),
    }
}

fn dated(mut params: CertificateParams, validity: Validity) -> CertificateParams {
    let at = |second: i64| {
        date_time_ymd(1970, 1, 1) + Duration::from_secs(u64::try_from(second).unwrap_or_default())
    };
    params.not_before = at(validity.not_before);
    params.not_after = at(validity.not_after);
    params.distinguished_name = DistinguishedName::new();
    params
}
