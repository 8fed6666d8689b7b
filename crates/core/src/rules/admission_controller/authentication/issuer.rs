// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use x509_parser::parse_x509_certificate;

use crate::admission::ErrorType::{Duplicate, Invalid, Required};
use crate::admission::Findings;
use crate::rules::admission_controller::configured::Configured;
use crate::rules::admission_controller::findings::AUTHENTICATION_INVALID;
use crate::rules::admission_controller::problem::Problem;
use crate::rules::shared::lists::{list, one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use crate::rules::shared::validation::https_errors;
use garden_gate_model::api::server_configuration::authentication::Issuer;
use garden_gate_text::go::Url;

const SELECTORS: &[&str] = &["controlplane", "cluster"];

/// Checks an issuer, which must not be one of the Shoot's own.
pub(super) fn check(
    configured: &Configured,
    issuer: &Issuer,
    own: &BTreeSet<String>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let (url, discovery) = (issuer.url.as_str(), issuer.discovery_url.as_str());
    let at_url = place.child("url");
    if url.is_empty() {
        let problem =
            Problem::new((&AUTHENTICATION_INVALID, Required), at_url, "the issuer has no URL");
        configured.report(problem.help("set it to the `iss` claim of the tokens"), findings);
    } else {
        if own.contains(url) {
            let message = format!("`{}` is an issuer of the Shoot itself", short(url));
            let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), at_url.clone(), message);
            let help = format!("use another URL than {}", list(own));
            configured.report(problem.value(url).help(help), findings);
        }
        check_url(configured, url, &at_url, findings);
    }
    if !discovery.is_empty() {
        let at_discovery = place.child("discoveryURL");
        let is_same = url.trim_end_matches('/') == discovery.trim_end_matches('/');
        if !url.is_empty() && is_same {
            let message = "the discovery URL is that of the issuer";
            let problem =
                Problem::new((&AUTHENTICATION_INVALID, Invalid), at_discovery.clone(), message);
            configured.report(problem.value(discovery).help("remove it"), findings);
        }
        check_url(configured, discovery, &at_discovery, findings);
    }
    check_audiences(configured, issuer, place, findings);
    check_authority(configured, &issuer.certificate_authority, place, findings);
    let selector = issuer.egress_selector_type.as_str();
    if !selector.is_empty() && !SELECTORS.contains(&selector) {
        let message = format!("`{}` is not an egress selector", short(selector));
        let at = place.child("egressSelectorType");
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), at, message);
        configured.report(problem.value(selector).help(one_of(selector, SELECTORS)), findings);
    }
}

fn check_url(configured: &Configured, text: &str, place: &ReportedPath, findings: &mut Findings) {
    let mut say = |why: &str| {
        let message = format!("`{}` is not a valid URL of an issuer: {why}", short(text));
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), place.clone(), message);
        let help = "write it like `https://issuer.example.com`";
        configured.report(problem.value(text).help(help), findings);
    };
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(why) => return say(why),
    };
    https_errors(&url).for_each(say);
}

fn check_audiences(
    configured: &Configured,
    issuer: &Issuer,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let audiences = place.child("audiences");
    if issuer.audiences.is_empty() {
        let message = "the issuer has no audiences";
        let problem = Problem::new((&AUTHENTICATION_INVALID, Required), audiences, message);
        configured.report(problem.help("name at least one"), findings);
        return;
    }
    let mut known = BTreeSet::new();
    for (index, audience) in issuer.audiences.iter().enumerate() {
        let place = audiences.index(index);
        if audience.is_empty() {
            let problem = Problem::new(
                (&AUTHENTICATION_INVALID, Required),
                place.clone(),
                "the audience is empty",
            );
            configured.report(problem.help("remove it"), findings);
        }
        if !known.insert(audience.as_str()) {
            let message = format!("the audience `{}` is a duplicate", short(audience));
            let problem = Problem::new((&AUTHENTICATION_INVALID, Duplicate), place, message);
            configured.report(problem.value(audience).help("keep one of them"), findings);
        }
    }
    let policy = issuer.audience_match_policy.as_str();
    let is_right = policy == "MatchAny" || (policy.is_empty() && issuer.audiences.len() == 1);
    if !is_right {
        let message = match policy {
            "" => "several audiences need a policy".to_owned(),
            _ => format!("`{}` is not a policy for audiences", short(policy)),
        };
        let at = place.child("audienceMatchPolicy");
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), at, message);
        configured.report(problem.value(policy).help("use `MatchAny`"), findings);
    }
}

fn check_authority(
    configured: &Configured,
    pem: &str,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if pem.is_empty() {
        return;
    }
    let mut count = 0;
    let mut is_right = true;
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let Ok(certificate) = certificate else { break };
        count += 1;
        is_right &= parse_x509_certificate(&certificate).is_ok();
    }
    if count == 0 || !is_right {
        let message = if is_right {
            "there is no certificate in PEM"
        } else {
            "a certificate cannot be parsed"
        };
        let at = place.child("certificateAuthority");
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), at, message);
        let help = "write certificates in PEM, which begin with `-----BEGIN CERTIFICATE-----`";
        configured.report(problem.help(help), findings);
    }
}
