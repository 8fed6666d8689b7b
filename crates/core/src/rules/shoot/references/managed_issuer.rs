// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, FindingKind, Findings, Help, rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("managed_issuer.md"),
    id: "shoot/managed-issuer",
    summary: "rejects an unsupported or conflicting managed issuer, and its removal",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]; Shoot [Delete]],
    reads: [Names],
    only_if: Changed,
    findings: {
        NOT_OFFERED = "shoot/managed-issuer-not-offered": "the landscape does not support managed issuers",
        OWN = "shoot/managed-issuer-with-own": "the Shoot has a managed issuer and sets its own",
        REMOVED = "shoot/managed-issuer-removed": "a managed issuer is removed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const ANNOTATION: &str = "authentication.gardener.cloud/issuer";

fn is_managed(shoot: &Shoot) -> bool {
    shoot.annotation(ANNOTATION) == Some("managed")
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.or(shoot.old) else {
        return;
    };
    if !is_managed(new) {
        if shoot.old.is_some_and(is_managed) {
            let message = "a managed issuer of service-account tokens stays managed";
            forbid(&REMOVED, message, Help::restore("put the annotation back"), findings);
        }
        return;
    }
    if context.issuer() == Ok(None) {
        let message = "the landscape does not offer managed issuers of service-account tokens";
        forbid(&NOT_OFFERED, message, Help::remove("remove the annotation"), findings);
    }
    let object = match shoot.new {
        Some(_) => context.new_opened(),
        None => context.old_opened(),
    };
    let path = ["spec", "kubernetes", "kubeAPIServer", "serviceAccountConfig", "issuer"];
    if Part::whole(object).at(&path).is_some() {
        let message = "the issuer of service-account tokens is managed, and another one is named";
        forbid(&OWN, message, "remove the issuer", findings);
    }
}

fn forbid(
    kind: &'static FindingKind,
    message: &str,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    let field = FieldPath::new("metadata.annotations").key(ANNOTATION);
    findings.forbid(kind, field, message).help(help);
}
