// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::tolerations::check_form;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("tolerations_invalid.md"),
    id: "shoot/tolerations-invalid",
    summary: "rejects invalid or duplicate tolerations",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        INVALID = "shoot/tolerations-invalid": "a toleration has a missing or malformed key, a malformed value, or is a duplicate",
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    check_form(
        &shoot.new.spec.tolerations,
        &FieldPath::new("spec.tolerations"),
        &INVALID,
        findings,
    );
}
