// SPDX-License-Identifier: Apache-2.0
use super::explanation::{REFUSED, report};
use crate::admission::{Context, Findings, rule};

rule! {
    page: include_str!("validation_rule.md"),
    id: "custom-resource/validation-rule",
    summary: "rejects values that the rules of a CustomResourceDefinition refuse",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: { REFUSED },
    fixes: Suggestion,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    if let Some(resource) = context.custom_resource() {
        report(&resource.validated().rules, findings);
    }
}
