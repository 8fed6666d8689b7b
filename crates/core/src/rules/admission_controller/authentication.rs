// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/apiserver/validation/validation.go` of Kubernetes' apiserver.

mod claims;
mod issuer;
mod mappings;

use std::collections::BTreeSet;

use super::configured::Configured;
use super::expression;
use super::findings::{AUTHENTICATION_INVALID, EXPRESSION, MISSING, NO_KEY, UNDECODABLE};
use super::problem::Problem;
use super::purpose::AUTHENTICATION;
use crate::admission::ErrorType::{Denied, Duplicate, Invalid, Required, TooMany};
use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::shared::reported_path::ReportedPath;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::server_configuration::authentication::{
    AuthenticationConfiguration, JwtAuthenticator, UserValidationRule,
};
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_text::json::Json;

rule! {
    page: include_str!("authentication.md"),
    id: "admission-controller/authentication",
    summary: "validates the configuration of structured authentication of a Shoot",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [Names, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        MISSING, NO_KEY, UNDECODABLE, EXPRESSION, AUTHENTICATION_INVALID,
        ANONYMOUS = "admission-controller/anonymous-twice": "anonymous authentication is configured twice",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The versions that refuse the addresses of a Shoot and its managed issuer as issuers.
const OWN_ADDRESSES: Versions = Versions::since(146);

/// Maximum number of authenticators.
const MOST: usize = 64;

const SERVER: &[&str] = &["spec", "kubernetes", "kubeAPIServer"];
const ANONYMOUS_FIELD: &str = "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication";
const MANAGED_ISSUER: &[&str] =
    &["metadata", "annotations", "authentication.gardener.cloud/issuer"];
/// The advertised addresses that are issuers or serve the API.
const ADDRESSES: [&str; 3] = ["service-account-issuer", "internal", "external"];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let purpose = (&AUTHENTICATION, || is_kept(context));
    let found = Configured::find::<AuthenticationConfiguration>(context, shoot, purpose, findings);
    let Some((configured, configuration)) = found else {
        return;
    };
    check_authenticators(context, &configured, &configuration.jwt, findings);
    let Some(anonymous) = &configuration.anonymous else {
        return;
    };
    if !anonymous.enabled && !anonymous.conditions.is_empty() {
        let place = ReportedPath::same(FieldPath::new("anonymous.conditions"));
        let message = "there are conditions for anonymous requests, which are not enabled";
        let problem = Problem::new((&AUTHENTICATION_INVALID, Invalid), place, message)
            .help("set `enabled: true`, or remove the conditions");
        configured.report(problem, findings);
    }
    let server = Part::whole(context.new_opened());
    if !findings.has_violations() && has_anonymous_setting(&server) {
        let message = format!(
            "the authentication configuration in {} has `anonymous`, but the Shoot sets `enableAnonymousAuthentication`",
            configured.key()
        );
        findings
            .report(&ANONYMOUS, Denied, FieldPath::root(), message)
            .at(&FieldPath::new(ANONYMOUS_FIELD))
            .help(Help::remove("remove `enableAnonymousAuthentication` from the Shoot"));
    }
}

/// Reports whether an update with the same ConfigMap and Kubernetes version has nothing to validate.
fn is_kept(context: &Context<'_>) -> bool {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let has_managed_issuer = |it: &Part<'_>| it.text_at(MANAGED_ISSUER) == "managed";
    let is_managed_later =
        context.runs(OWN_ADDRESSES) && has_managed_issuer(&new) != has_managed_issuer(&old);
    let is_anonymous_later = !has_anonymous_setting(&old) && has_anonymous_setting(&new);
    let stored = context.old_opened();
    !is_managed_later
        && !is_anonymous_later
        && own_issuers(context, &new, stored) == own_issuers(context, &old, stored)
}

fn has_anonymous_setting(shoot: &Part<'_>) -> bool {
    let server = shoot.at(SERVER);
    server.is_some_and(|it| it.at(&["enableAnonymousAuthentication"]).is_some())
}

/// Returns the issuers of tokens of the Shoot itself; the status is always the stored one.
fn own_issuers(context: &Context<'_>, shoot: &Part<'_>, stored: &Json<'_>) -> BTreeSet<String> {
    let accounts = shoot.at(SERVER).and_then(|it| it.at(&["serviceAccountConfig"]));
    let mut issuers = BTreeSet::new();
    if let Some(accounts) = accounts {
        let accepted = accounts.texts_at(&["acceptedIssuers"]);
        issuers.extend(accepted.into_iter().map(|(_, issuer)| issuer));
        issuers.extend(accounts.at(&["issuer"]).and_then(|it| it.text()));
    }
    if context.runs(OWN_ADDRESSES) {
        let addresses = Part::whole(stored).items_at(&["status", "advertisedAddresses"]);
        let own = addresses.iter().filter(|it| ADDRESSES.contains(&it.text_at(&["name"]).as_str()));
        issuers.extend(own.map(|it| it.text_at(&["url"])));
    }
    issuers
}

fn check_authenticators(
    context: &Context<'_>,
    configured: &Configured,
    authenticators: &[JwtAuthenticator],
    findings: &mut Findings,
) {
    let root = ReportedPath::same(FieldPath::new("jwt"));
    if authenticators.len() > MOST {
        let message = format!("there are {} authenticators", authenticators.len());
        let problem = Problem::new((&AUTHENTICATION_INVALID, TooMany), root, message);
        configured.report(problem.help(format!("use at most {MOST}")), findings);
        return;
    }
    let shoot = Part::whole(context.new_opened());
    let own = own_issuers(context, &shoot, context.old_opened());
    let (mut issuers, mut discoveries) = (BTreeSet::new(), BTreeSet::new());
    for (index, authenticator) in authenticators.iter().enumerate() {
        let place = root.index(index);
        let issuer = &authenticator.issuer;
        issuer::check(configured, issuer, &own, &place.child("issuer"), findings);
        let verified = claims::check(
            configured,
            &authenticator.claim_validation_rules,
            &place.child("claimValidationRules"),
            findings,
        );
        mappings::check(
            configured,
            (&authenticator.claim_mappings, verified),
            &place.child("claimMappings"),
            findings,
        );
        check_users(
            configured,
            &authenticator.user_validation_rules,
            &place.child("userValidationRules"),
            findings,
        );
        let urls = [
            ("url", &issuer.url, &mut issuers),
            ("discoveryURL", &issuer.discovery_url, &mut discoveries),
        ];
        for (field, url, known) in urls {
            let is_counted = field == "url" || !url.is_empty();
            if is_counted && !known.insert(url.as_str()) {
                let message = "an authenticator before has the same URL";
                let at = place.child("issuer").child(field);
                let problem = Problem::new((&AUTHENTICATION_INVALID, Duplicate), at, message);
                configured
                    .report(problem.value(url).help("keep one of the authenticators"), findings);
            }
        }
    }
}

fn check_users(
    configured: &Configured,
    rules: &[UserValidationRule],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let mut known = BTreeSet::new();
    for (index, rule) in rules.iter().enumerate() {
        let at = place.index(index).child("expression");
        let text = rule.expression.as_str();
        let problem = if text.is_empty() {
            Problem::new((&AUTHENTICATION_INVALID, Required), at, "the rule has no expression")
                .help("write a CEL expression about `user`")
        } else if !known.insert(text) {
            Problem::new(
                (&AUTHENTICATION_INVALID, Duplicate),
                at,
                "a rule before has the same expression",
            )
            .value(text)
            .help("keep one of them")
        } else {
            expression::parse(configured, (text, at), findings);
            continue;
        };
        configured.report(problem, findings);
    }
}
