// SPDX-License-Identifier: Apache-2.0
use super::{is_wanted, may_refer_to_all};
use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::garden::ObjectKey;
use crate::rules::shared::references::{Referred, check_right};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Named, Quota, QuotaScope};

rule! {
    page: include_str!("quotas_unusable.md"),
    id: "binding/quotas-unusable",
    summary: "rejects a binding with missing, unreadable or duplicate Quotas",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [SecretBinding [Create, Update]; CredentialsBinding [Create, Update]],
    reads: [Quota, Verbs],
    findings: {
        MISSING = "binding/quota-missing": "a Quota of a binding is not found",
        UNREADABLE = "binding/quota-unreadable": "the requesting user may not read a Quota of a binding",
        SCOPE = "binding/quota-scope-unknown": "the scope of a Quota is neither a Project nor credentials",
        SECOND = "binding/quota-of-same-scope": "two Quotas of a binding have the same scope",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    if !is_wanted(binding.new) {
        return;
    }
    let mut known = Vec::new();
    for quota in Part::whole(context.new_opened()).items_at(&["quotas"]) {
        let own = quota.text_at(&["namespace"]);
        let namespace = match own.as_str() {
            "" => context.request.namespace.as_str(),
            own => own,
        };
        let reference = Referred {
            key: ObjectKey::new(Kind::Quota, namespace, quota.text_at(&["name"])),
            field: quota.path().child("name"),
            part: &[],
        };
        if reference.key.name.is_empty() {
            continue;
        }
        if !may_refer_to_all(context, namespace) {
            check_right(context, &reference, &UNREADABLE, findings);
        }
        check_quota(context, &reference, &mut known, findings);
    }
}

fn check_quota(
    context: &Context<'_>,
    reference: &Referred,
    known: &mut Vec<QuotaScope>,
    findings: &mut Findings,
) {
    let Referred { key, field, .. } = reference;
    let quota = context.get_significant::<Quota>((key.namespace.as_str(), key.name.as_str()));
    let what = format_args!("what {key} is for");
    let Some(quota) = quota.and_then(|it| findings.known(it, field, what)) else {
        return;
    };
    let mut forbid = |kind, message: String, help: &str| {
        let field: FieldPath = field.clone();
        findings.forbid(kind, field, message).help(help.to_owned());
    };
    let Some(quota) = quota else {
        let help = "name a Quota that exists, or create it first";
        return forbid(&MISSING, format!("there is no {key}"), help);
    };
    match quota.spec.scope() {
        None => {
            let message = format!("{key} is neither for a Project nor for credentials");
            forbid(&SCOPE, message, "name another one");
        }
        Some(scope) if known.contains(&scope) => {
            let message = format!("{key} is for the same as another Quota of the binding");
            forbid(&SECOND, message, "keep one of them");
        }
        Some(scope) => known.push(scope),
    }
}
