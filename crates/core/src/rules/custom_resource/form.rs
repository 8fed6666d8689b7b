// SPDX-License-Identifier: Apache-2.0
use super::explanation::{WRONG_TYPE, report};
use crate::admission::{Context, Findings, Operation, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED, check_kept_metadata,
    check_metadata,
};

rule! {
    page: include_str!("form.md"),
    id: "custom-resource/form",
    summary: "rejects invalid or missing fields of a custom resource",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED, WRONG_TYPE },
    fixes: Safe,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(resource) = context.custom_resource() else {
        return;
    };
    match context.request.operation {
        Operation::Create => check_metadata(context, Naming::Subdomain, findings),
        _ => check_kept_metadata(context, findings),
    }
    let validated = resource.validated();
    report(&validated.form, findings);
    for (field, why) in &validated.undetermined {
        findings.undetermined(field, why.clone());
    }
}
