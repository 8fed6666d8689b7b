// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::admission::ErrorType::{Forbidden, Invalid};
use crate::admission::{Context, FieldPath, Findings, Help, Operation, Write, rule};
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, UNFITTING, UNSUPPORTED,
    check as check_form, issuer_error, report_repeated,
};
use crate::rules::shoot::event_ttl::{LONGEST_EVENT_TTL, event_ttl};
use crate::rules::shoot::static_validation::kubernetes_form::{LITTLE, check_least};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_text::go::{dns_label_error, dns_subdomain_error};

rule! {
    page: include_str!("api_server_form.md"),
    id: "shoot/api-server-form",
    summary: "rejects invalid settings of the API server",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, UNFITTING, UNSUPPORTED, LITTLE,
        ISSUER = "shoot/issuer-malformed": "an issuer of service account tokens is not a valid https URL",
        ENCRYPTED = "shoot/resource-not-encryptable": "a resource cannot be encrypted, or is always encrypted",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section =
    Section { kind: "Shoot", at: &["spec", "kubernetes", "kubeAPIServer"], except: &[] };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    check_section(context, facts, findings);
    let Some(server) = received.at(SECTION.at) else {
        return;
    };
    check_accounts(&server, is_issuer_list_kept(context, &server), findings);
    let is_new = context.request.operation == Operation::Create;
    check_encryption(&received, is_new, &server, facts, findings);
    check_references(&server, findings);
    if let Some(autoscaling) = server.at(&["autoscaling"]) {
        check_least(&autoscaling, &[("cpu", "20m"), ("memory", "200M")], findings);
    }
}

/// The versions that do not validate a stored `eventTTL`.
const KEEPS_EVENT_TTL: Versions = Versions::until(142);
/// The versions that reduce `eventTTL` to the maximum in updates, before they validate it.
const REDUCES_EVENT_TTL: Versions = Versions::since(143).and_until(146);

fn check_section(context: &Context<'_>, facts: Facts<'_>, findings: &mut Findings) {
    let mut object = Cow::Borrowed(context.new_opened());
    let is_kept = context.runs(KEEPS_EVENT_TTL) && is_event_ttl_kept(context);
    let is_reduced = context.runs(REDUCES_EVENT_TTL) && is_event_ttl_reduced(context);
    if is_kept || is_reduced {
        let server = object.to_mut().at(SECTION.at);
        let fields = server.and_then(|it| it.fields());
        if let Some(fields) = fields {
            fields.remove("eventTTL");
        }
    }
    check_form(SECTION, &object, facts, findings);
}

/// Reports whether `eventTTL` is as stored.
fn is_event_ttl_kept(context: &Context<'_>) -> bool {
    let [new, stored] = [context.new_opened(), context.old_opened()].map(event_ttl);
    stored.is_some() && stored == new
}

fn is_event_ttl_reduced(context: &Context<'_>) -> bool {
    let request = context.request;
    let is_update = request.operation == Operation::Update && request.sub_resource.is_empty();
    is_update && event_ttl(context.new_opened()).is_some_and(|it| it > LONGEST_EVENT_TTL)
}

const HOUR: f64 = 3600.0;

fn check_accounts(server: &Part<'_>, is_kept: bool, findings: &mut Findings) {
    let Some(accounts) = server.at(&["serviceAccountConfig"]) else {
        return;
    };
    if let Some(lifetime) = accounts.seconds_at(&["maxTokenExpiration"]) {
        let field = accounts.path().child("maxTokenExpiration");
        let error = if lifetime < 0.0 { Invalid } else { Forbidden };
        if lifetime != 0.0 && !(720.0 * HOUR..=2160.0 * HOUR).contains(&lifetime) {
            let message = "tokens of service accounts do not live between 30 and 90 days";
            findings.report(&OUT_OF_RANGE, error, field, message).help("choose `720h` to `2160h`");
        }
    }
    let issuer = accounts.at(&["issuer"]).and_then(|it| it.text());
    if let Some(issuer) = &issuer {
        check_issuer(issuer, &accounts.path().child("issuer"), findings);
    }
    let accepted = accounts.texts_at(&["acceptedIssuers"]);
    let mut known = BTreeSet::new();
    for (field, accepted) in accepted.into_iter().filter(|_| !is_kept) {
        check_issuer(&accepted, &field, findings);
        if issuer.as_ref() == Some(&accepted) {
            let message = format!("`{accepted}` is the issuer, and accepted anyway");
            findings.invalid(&UNFITTING, field, message).help(Help::remove("remove it"));
        } else if !known.insert(accepted.clone()) {
            report_repeated(format_args!("`{accepted}`"), field, findings);
        }
    }
}

/// Reports whether a list is as stored; Gardener does not validate such a list.
fn is_issuer_list_kept(context: &Context<'_>, server: &Part<'_>) -> bool {
    let path = ["serviceAccountConfig", "acceptedIssuers"];
    let stored = Part::whole(context.old_opened()).at(SECTION.at);
    let texts =
        |it: &Part<'_>| it.texts_at(&path).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    let is_said = |it: &Part<'_>| it.at(&["serviceAccountConfig"]).is_some();
    stored.is_some_and(|stored| is_said(&stored) && texts(&stored) == texts(server))
}

fn check_issuer(issuer: &str, field: &FieldPath, findings: &mut Findings) {
    if let Some(why) = issuer_error(issuer) {
        let message = format!("`{}` cannot be an issuer: {why}", short(issuer));
        let help = "write it like `https://issuer.example.com`";
        findings.invalid(&ISSUER, field.clone(), message).help(help);
    }
}

/// Internal resources without an API.
const INTERNAL: [&str; 3] =
    ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

/// The versions that have encryption provider `aesgcm`.
const AESGCM: Versions = Versions::since(141);

fn check_encryption(
    shoot: &Part<'_>,
    is_new: bool,
    server: &Part<'_>,
    facts: Facts<'_>,
    findings: &mut Findings,
) {
    let Some(encryption) = server.at(&["encryptionConfig"]) else {
        return;
    };
    let mut known = BTreeSet::new();
    for (field, resource) in encryption.texts_at(&["resources"]) {
        check_encrypted(&resource, &field, findings);
        let (name, group) = resource.split_once('.').unwrap_or((&resource, ""));
        if (name, group) == ("secrets", "") {
            let message = format!("`{resource}` is always encrypted");
            findings.forbid(&ENCRYPTED, field.clone(), message).help(Help::remove("remove it"));
        }
        if !known.insert((name.to_owned(), group.to_owned())) {
            report_repeated(format_args!("`{resource}`"), field, findings);
        }
    }
    if let Some(kind) = encryption
        .at(&["provider", "type"])
        .filter(|it| AESGCM.contains(facts.gardener) && it.text().as_deref() == Some("aesgcm"))
        && !rotates_by_itself(shoot, is_new)
    {
        let message = "provider `aesgcm` needs a key that is rotated by itself";
        findings.forbid(&UNFITTING, kind.path().clone(), message).help(
            "set `spec.maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod`",
        );
    }
}

fn check_encrypted(resource: &str, field: &FieldPath, findings: &mut Findings) {
    let group = resource.split_once('.').map_or("", |(_, group)| group);
    let why = match resource {
        it if INTERNAL.contains(&it) => "it has no API",
        it if it.chars().any(char::is_uppercase) => "it is not in lower case",
        it if it.ends_with('.') => "it ends with a dot",
        it if it.contains('*') => "it has a wildcard",
        _ if group == "events.k8s.io" => "events are stored as `events`",
        _ if group == "extensions" => "there is no group `extensions` any more",
        _ => return,
    };
    let message = format!("`{resource}` cannot be encrypted: {why}");
    findings.invalid(&ENCRYPTED, field.clone(), message).help("write it like `deployments.apps`");
}

/// Reports whether Gardener rotates the encryption key of etcd, by default only for new Shoots.
fn rotates_by_itself(shoot: &Part<'_>, is_new: bool) -> bool {
    let path = ["spec", "maintenance", "autoRotation", "credentials"];
    let rotation = shoot.at(&path).and_then(|it| it.at(&["etcdEncryptionKey"]));
    rotation.map_or(is_new, |it| it.seconds_at(&["rotationPeriod"]).is_some_and(|it| it != 0.0))
}

fn check_references(server: &Part<'_>, findings: &mut Findings) {
    for what in ["structuredAuthentication", "structuredAuthorization"] {
        if let Some(configured) = server.at(&[what]) {
            check_structured(what, &configured, server, findings);
        }
    }
    let policy = server.at(&["auditConfig", "auditPolicy", "configMapRef"]);
    let Some(policy) = policy else { return };
    let [name, namespace] = ["name", "namespace"].map(|it| policy.text_at(&[it]));
    if name.is_empty() {
        let message = "the audit policy has no ConfigMap";
        findings.required(&MISSING, policy.path().child("name"), message).help("name it");
    } else if let Some(why) = dns_subdomain_error(&name) {
        let message = format!("`{name}` cannot be the name of a ConfigMap: {why}");
        findings
            .invalid(&MALFORMED, policy.path().child("name"), message)
            .help("name one that exists");
    }
    if let Some(why) = dns_label_error(&namespace).filter(|_| !namespace.is_empty()) {
        let message = format!("`{namespace}` cannot be a namespace: {why}");
        findings
            .invalid(&MALFORMED, policy.path().child("namespace"), message)
            .help(Help::remove("remove it"));
    }
}

fn check_structured(what: &str, configured: &Part<'_>, server: &Part<'_>, findings: &mut Findings) {
    let gate = match what {
        "structuredAuthentication" => "StructuredAuthenticationConfiguration",
        _ => "StructuredAuthorizationConfiguration",
    };
    if server.flag_at(&["featureGates", gate]) == Some(false) {
        let message = format!("`{what}` is set, but feature gate `{gate}` is off");
        findings.forbid(&UNFITTING, configured.path().clone(), message).help("remove one of both");
    }
    let named = !configured.text_at(&["configMapName"]).is_empty();
    if !named {
        let message = format!("`{what}` names no ConfigMap");
        let field = configured.path().child("configMapName");
        findings.forbid(&MISSING, field, message).help("name it");
        return;
    }
    let has_none = configured.at(&["kubeconfigs"]).is_none_or(|it| it.items().is_empty());
    if what == "structuredAuthorization" && has_none {
        let message = "structured authorization names no kubeconfigs";
        let field = configured.path().child("kubeconfigs");
        findings.required(&MISSING, field, message).help("name a Secret for each authorizer");
    }
}
