// SPDX-License-Identifier: Apache-2.0
//! Source: `ValidateAuthorizationConfiguration` in `pkg/apis/apiserver/validation/validation.go` of Kubernetes' apiserver.

mod webhook;

use std::collections::BTreeSet;

use super::configured::Configured;
use super::findings::{AUTHORIZATION_INVALID, EXPRESSION, MISSING, NO_KEY, UNDECODABLE};
use super::problem::Problem;
use super::purpose::AUTHORIZATION;
use crate::admission::ErrorType::{Denied, Duplicate, Forbidden, Invalid, NotSupported, Required};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::server_configuration::authorization::{
    AuthorizationConfiguration, AuthorizationWebhook, AuthorizerConfiguration,
};
use garden_gate_text::go::dns_subdomain_error;
use garden_gate_text::json::Json;

rule! {
    page: include_str!("authorization.md"),
    id: "admission-controller/authorization",
    summary: "validates the configuration of structured authorization of a Shoot",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [Names, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        MISSING, NO_KEY, UNDECODABLE, EXPRESSION, AUTHORIZATION_INVALID,
        NO_KUBECONFIG = "admission-controller/kubeconfig-missing": "a Shoot names no kubeconfig for an authorizer",
    },
    check: Judge(check),
}

const KUBECONFIGS: &[&str] =
    &["spec", "kubernetes", "kubeAPIServer", "structuredAuthorization", "kubeconfigs"];
const KUBECONFIGS_FIELD: &str = "spec.kubernetes.kubeAPIServer.structuredAuthorization.kubeconfigs";
/// The only type of authorizers for Shoots.
const WEBHOOK: &str = "Webhook";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let names = |shoot: &Json<'_>| kubeconfigs(&Part::whole(shoot));
    let is_kept = || names(context.new_opened()) == names(context.old_opened());
    let purpose = (&AUTHORIZATION, is_kept);
    let found = Configured::find::<AuthorizationConfiguration>(context, shoot, purpose, findings);
    let Some((configured, configuration)) = found else {
        return;
    };
    let authorizers = &configuration.authorizers;
    check_connections(&configured, authorizers, findings);
    if findings.is_empty() {
        let known = names(context.new_opened());
        check_kubeconfigs(&configured, authorizers, &known, findings);
    }
    if findings.is_empty() {
        check_authorizers(&configured, authorizers, findings);
    }
}

/// Returns the names of the authorizers for which a Shoot names kubeconfigs.
fn kubeconfigs(shoot: &Part<'_>) -> BTreeSet<String> {
    let all = shoot.items_at(KUBECONFIGS).into_iter();
    all.map(|it| it.text_at(&["authorizerName"])).collect()
}

/// Returns the webhooks, with their indices and names.
fn webhooks(
    authorizers: &[AuthorizerConfiguration],
) -> impl Iterator<Item = (usize, &str, &AuthorizationWebhook)> {
    let all = authorizers.iter().enumerate();
    let webhooks = all.filter(|(_, it)| it.kind == WEBHOOK);
    webhooks.filter_map(|(index, it)| Some((index, it.name.as_str(), it.webhook.as_ref()?)))
}

/// Refuses the first connection: Gardener sets it.
fn check_connections(
    configured: &Configured,
    authorizers: &[AuthorizerConfiguration],
    findings: &mut Findings,
) {
    let mut webhooks = webhooks(authorizers);
    let first = webhooks.find(|(_, _, webhook)| {
        let connection = &webhook.connection_info;
        !connection.kind.is_empty() || connection.kube_config_file.is_some()
    });
    if let Some((index, ..)) = first {
        let authorizer = FieldPath::new("authorizers").index(index);
        let place = ReportedPath {
            own: authorizer.child("connectionInfo"),
            real: authorizer.descendant("webhook.connectionInfo"),
        };
        let message = "the connection of a webhook cannot be set";
        let problem = Problem::new((&AUTHORIZATION_INVALID, Forbidden), place, message);
        let help = "remove it, and name a Secret with a kubeconfig in `structuredAuthorization.kubeconfigs` of the Shoot";
        configured.report(problem.help(help), findings);
    }
}

/// Requires a kubeconfig for each webhook.
fn check_kubeconfigs(
    configured: &Configured,
    authorizers: &[AuthorizerConfiguration],
    known: &BTreeSet<String>,
    findings: &mut Findings,
) {
    let mut names = webhooks(authorizers).map(|(_, name, _)| name);
    if let Some(name) = names.find(|it| !known.contains(*it)) {
        let message = format!(
            "the Shoot names no kubeconfig for authorizer `{}` of {}",
            short(name),
            configured.key()
        );
        let help = format!(
            "add `authorizerName: {}` with the name of a Secret to `kubeconfigs`",
            short(name)
        );
        findings
            .report(&NO_KUBECONFIG, Denied, FieldPath::root(), message)
            .at(&FieldPath::new(KUBECONFIGS_FIELD))
            .value(name)
            .help(help);
    }
}

fn check_authorizers(
    configured: &Configured,
    authorizers: &[AuthorizerConfiguration],
    findings: &mut Findings,
) {
    let root = ReportedPath::same(FieldPath::new("authorizers"));
    if authorizers.is_empty() {
        let problem =
            Problem::new((&AUTHORIZATION_INVALID, Required), root, "there are no authorizers");
        configured.report(problem.help("add an authorizer of type `Webhook`"), findings);
        return;
    }
    let mut names = BTreeSet::new();
    for (index, authorizer) in authorizers.iter().enumerate() {
        let place = root.index(index);
        let kind = authorizer.kind.as_str();
        if kind != WEBHOOK {
            let (error, message) = match kind {
                "" => (Required, "the authorizer has no type".to_owned()),
                _ => (NotSupported, format!("the type `{}` is unsupported", short(kind))),
            };
            let problem =
                Problem::new((&AUTHORIZATION_INVALID, error), place.child("type"), message);
            configured.report(problem.value(kind).help("use `Webhook`"), findings);
            continue;
        }
        let name = authorizer.name.as_str();
        check_name(configured, name, !names.insert(name), place.child("name"), findings);
        match &authorizer.webhook {
            Some(webhook) => webhook::check(configured, webhook, &place, findings),
            None => {
                let message = "the authorizer has no webhook";
                let problem = Problem::new(
                    (&AUTHORIZATION_INVALID, Required),
                    place.child("webhook"),
                    message,
                );
                configured.report(problem.help("add `webhook`"), findings);
            }
        }
    }
}

fn check_name(
    configured: &Configured,
    name: &str,
    is_repeated: bool,
    place: ReportedPath,
    findings: &mut Findings,
) {
    let (error, message) = if name.is_empty() {
        (Required, "the authorizer has no name".to_owned())
    } else if is_repeated {
        (Duplicate, format!("the name `{}` is a duplicate", short(name)))
    } else if let Some(why) = dns_subdomain_error(name) {
        (Invalid, format!("`{}` is not a valid name: {why}", short(name)))
    } else {
        return;
    };
    let problem = Problem::new((&AUTHORIZATION_INVALID, error), place, message).value(name);
    configured.report(problem.help("use a name of its own, such as `my-authorizer`"), findings);
}
