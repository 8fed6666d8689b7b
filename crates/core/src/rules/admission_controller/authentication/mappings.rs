// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::ErrorType::{Duplicate, Invalid, Required};
use crate::admission::Findings;
use crate::rules::admission_controller::configured::Configured;
use crate::rules::admission_controller::expression;
use crate::rules::admission_controller::findings::AUTHENTICATION_INVALID;
use crate::rules::admission_controller::problem::Problem;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_cel::CelExpression;
use garden_gate_model::api::server_configuration::authentication::{
    ClaimMappings, ExtraMapping, PrefixedClaimOrExpression,
};
use garden_gate_text::go::dns_subdomain_error;

/// The domains of keys that only Kubernetes may use, with their subdomains.
const RESERVED: [&str; 2] = ["kubernetes.io", "k8s.io"];
/// The characters in the path of a key, apart from letters and digits.
const IN_PATHS: &str = "/-._~%!$&'()*+,;=:";
/// The claim that says whether the address in the claim `email` is the user's.
const VERIFIED: &str = "email_verified";

/// Checks the attributes of a user; `is_verified` is whether a rule for claims uses `claims.email_verified`.
pub(super) fn check(
    configured: &Configured,
    (mappings, mut is_verified): (&ClaimMappings, bool),
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let username = &mappings.username;
    let at_username = place.child("username");
    if username.claim.is_empty() && username.expression.is_empty() {
        let message = "the user name has neither a claim nor an expression";
        let problem =
            Problem::new((&AUTHENTICATION_INVALID, Required), at_username.clone(), message);
        configured.report(problem.help("set `claim` and `prefix`, or `expression`"), findings);
    }
    let name = check_prefixed(configured, username, &at_username, findings);
    // An invalid mapping is not searched for claims.
    let name = name.filter(|_| username.prefix.is_none());
    let uses_email = name.as_ref().is_some_and(|it| it.selects("claims", "email"));
    is_verified |= name.is_some_and(|it| it.selects("claims", VERIFIED));
    check_prefixed(configured, &mappings.groups, &place.child("groups"), findings);
    let at_uid = place.child("uid");
    match (mappings.uid.claim.as_str(), mappings.uid.expression.as_str()) {
        (_, "") => {}
        ("", text) => {
            let place = at_uid.child("expression");
            expression::parse(configured, (text, place), findings);
        }
        _ => both(configured, at_uid, findings),
    }
    is_verified |= check_extra(configured, &mappings.extra, &place.child("extra"), findings);
    if uses_email && !is_verified {
        let message = "the user name uses `claims.email`, but nothing uses `claims.email_verified`";
        let place = at_username.child("expression");
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), place, message);
        let help = "add a rule to `claimValidationRules` with the expression `claims.?email_verified.orValue(true) == true`";
        configured.report(problem.value(&username.expression).help(help), findings);
    }
}

fn both(configured: &Configured, place: ReportedPath, findings: &mut Findings) {
    let message = "the mapping has both a claim and an expression";
    let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), place, message);
    configured.report(problem.help("keep one of them"), findings);
}

/// Checks a claim or an expression, which it returns; one of them must be set for user names only.
fn check_prefixed(
    configured: &Configured,
    mapping: &PrefixedClaimOrExpression,
    place: &ReportedPath,
    findings: &mut Findings,
) -> Option<CelExpression> {
    let at_prefix = place.child("prefix");
    match (mapping.claim.as_str(), mapping.expression.as_str()) {
        ("", "") => None,
        ("", text) => {
            if let Some(prefix) = &mapping.prefix {
                let message = "a prefix is set, but no claim";
                let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), at_prefix, message);
                let help = "remove it, and add the prefix in the expression";
                configured.report(problem.value(prefix).help(help), findings);
            }
            expression::parse(configured, (text, place.child("expression")), findings)
        }
        (_, "") => {
            if mapping.prefix.is_none() {
                let message = "the claim has no prefix";
                let problem = Problem::new((&AUTHENTICATION_INVALID, Required), at_prefix, message);
                configured.report(problem.help("set it; `\"\"` means none"), findings);
            }
            None
        }
        _ => {
            both(configured, place.clone(), findings);
            None
        }
    }
}

/// Checks further attributes, and returns whether one of them uses `claims.email_verified`.
fn check_extra(
    configured: &Configured,
    extra: &[ExtraMapping],
    place: &ReportedPath,
    findings: &mut Findings,
) -> bool {
    let mut keys = BTreeSet::new();
    let mut is_verified = false;
    for (index, mapping) in extra.iter().enumerate() {
        let at = place.index(index);
        let key = mapping.key.as_str();
        check_key(configured, key, &at.child("key"), findings);
        if !keys.insert(key) {
            let message = format!("the key `{}` is a duplicate", short(key));
            let problem =
                Problem::new((&AUTHENTICATION_INVALID, Duplicate), at.child("key"), message);
            configured.report(problem.value(key).help("keep one of them"), findings);
            continue;
        }
        let (text, place) = (mapping.value_expression.as_str(), at.child("valueExpression"));
        if text.is_empty() {
            let message = "the attribute has no expression";
            let problem = Problem::new((&AUTHENTICATION_INVALID, Required), place, message);
            configured.report(problem.help("write a CEL expression about `claims`"), findings);
            continue;
        }
        let parsed = expression::parse(configured, (text, place), findings);
        is_verified |= parsed.is_some_and(|it| it.selects("claims", VERIFIED));
    }
    is_verified
}

fn check_key(configured: &Configured, key: &str, place: &ReportedPath, findings: &mut Findings) {
    let mut say = |error, why: &str| {
        let message = match key {
            "" => "the key is empty".to_owned(),
            _ => format!("`{}` is not a valid key: {why}", short(key)),
        };
        let problem = Problem::new((&AUTHENTICATION_INVALID, error), place.clone(), message);
        let help = "write it like `example.org/team`";
        configured.report(problem.value(key).help(help), findings);
    };
    let (domain, path) = key.split_once('/').unwrap_or_default();
    if key.is_empty() {
        say(Required, "");
    } else if domain.is_empty() || path.is_empty() {
        say(Invalid, "it is not a domain and a path");
    } else {
        if let Some(why) = dns_subdomain_error(domain) {
            say(Invalid, &format!("of its domain, {why}"));
        }
        let is_in_paths = |it: char| it.is_ascii_alphanumeric() || IN_PATHS.contains(it);
        if !path.chars().all(is_in_paths) {
            say(Invalid, "its path has other characters than those of a URL");
        }
    }
    if key.chars().any(char::is_uppercase) {
        say(Invalid, "it has upper-case letters");
    }
    let is_below = |reserved: &str| {
        let above = domain.strip_suffix(reserved);
        above.is_some_and(|it| it.is_empty() || it.ends_with('.'))
    };
    if RESERVED.into_iter().any(is_below) {
        say(Invalid, "Kubernetes reserves its domain");
    }
}
