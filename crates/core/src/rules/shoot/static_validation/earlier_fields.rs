// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Help, Write, rule};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Part, UNFITTING, UNSUPPORTED, check_amounts, issuer_error,
};
use crate::rules::shoot::static_validation::{kubelets, received};
use garden_gate_model::api::{Format, Shoot, Versions};
use garden_gate_text::go::is_at_least;

rule! {
    page: include_str!("earlier_fields.md"),
    id: "shoot/earlier-fields",
    summary: "rejects invalid values of fields that later versions of Gardener removed",
    phase: Static,
    level: Deny,
    until: 141,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, UNFITTING, UNSUPPORTED,
        GONE = "shoot/earlier-field-unsupported": "a field is set that Gardener no longer supports for the Kubernetes version",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The versions of Gardener with `systemReserved`.
const SYSTEM_RESERVED: Versions = Versions::until(140);

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    let server = received.at(&["spec", "kubernetes", "kubeAPIServer"]);
    if let Some(server) = server {
        check_oidc(&server, facts, findings);
    }
    if !SYSTEM_RESERVED.contains(facts.gardener) {
        return;
    }
    let common =
        received.at(&["spec", "kubernetes", "kubelet"]).map(|it| (it, facts.version)).into_iter();
    for (kubelet, version) in common.chain(kubelets(new, &received)) {
        if let Some(reserved) = kubelet.at(&["systemReserved"]) {
            check_amounts(&reserved, findings);
            check_gone(&reserved, version, 31, findings);
        }
    }
}

/// Reports a field that is set although the Kubernetes version is 1.`minor` or later.
fn check_gone(part: &Part<'_>, version: &str, minor: u64, findings: &mut Findings) -> bool {
    let is_gone = is_at_least(version, 1, minor);
    if is_gone {
        let message = format!("the field is not supported from Kubernetes 1.{minor} on");
        findings.invalid(&GONE, part.path().clone(), message).help(Help::remove("remove it"));
    }
    is_gone
}

const ALGORITHMS: [&str; 10] =
    ["ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512", "none"];

fn check_oidc(server: &Part<'_>, facts: Facts<'_>, findings: &mut Findings) {
    let Some(oidc) = server.at(&["oidcConfig"]) else {
        return;
    };
    if server.at(&["structuredAuthentication"]).is_some() {
        let message = "`oidcConfig` and `structuredAuthentication` exclude each other";
        findings
            .forbid(&UNFITTING, oidc.path().clone(), message)
            .help(Help::remove("remove `oidcConfig`"));
    }
    if check_gone(&oidc, facts.version, 32, findings) {
        return;
    }
    for field in ["clientID", "issuerURL"] {
        if oidc.text_at(&[field]).is_empty() {
            let message = format!("`{field}` is not set");
            let path = oidc.path().child(field);
            let help = format!("set `{field}`, or remove `oidcConfig`");
            findings.required(&MISSING, path, message).help(help);
        }
    }
    let issuer = oidc.text_at(&["issuerURL"]);
    if let Some(why) = issuer_error(&issuer).filter(|_| !issuer.is_empty()) {
        let message = format!("`{}` cannot be an issuer: {why}", short(&issuer));
        let help = "write it like `https://issuer.example.com`";
        let path = oidc.path().child("issuerURL");
        findings.invalid(&MALFORMED, path, message).help(help);
    }
    if let Some(bundle) = oidc.at(&["caBundle"])
        && let Some(why) = Format::Pem.error(&bundle.text().unwrap_or_default())
    {
        let message = format!("the certificates are malformed: {why}");
        findings
            .invalid(&MALFORMED, bundle.path().clone(), message)
            .help("paste certificates in PEM, or remove `caBundle`");
    }
    if let Some(client) = oidc.at(&["clientAuthentication"])
        && is_at_least(facts.version, 1, 31)
    {
        let message = "`clientAuthentication` is forbidden from Kubernetes 1.31";
        findings.forbid(&GONE, client.path().clone(), message).help(Help::remove("remove it"));
    }
    for field in ["groupsClaim", "groupsPrefix", "usernameClaim", "usernamePrefix"] {
        if let Some(empty) = oidc.at(&[field]).filter(Part::is_empty) {
            let message = format!("`{field}` is empty");
            findings
                .invalid(&MALFORMED, empty.path().clone(), message)
                .help(Help::remove("remove it"));
        }
    }
    for (field, algorithm) in oidc.texts_at(&["signingAlgs"]) {
        if !ALGORITHMS.contains(&algorithm.as_str()) {
            let message = format!("`{algorithm}` is no signing algorithm");
            findings
                .unsupported(&UNSUPPORTED, field, message)
                .help(one_of(&algorithm, &ALGORITHMS));
        }
    }
}
