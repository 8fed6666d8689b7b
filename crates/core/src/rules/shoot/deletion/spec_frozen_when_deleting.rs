// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("spec_frozen_when_deleting.md"),
    id: "shoot/spec-frozen-when-deleting",
    summary: "rejects changes of a Shoot's spec during deletion",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        FROZEN = "shoot/spec-frozen-when-deleting": "the spec of a Shoot is changed during deletion",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, .. } = shoot;
    if new.metadata.deletion_timestamp.is_none() {
        return;
    }
    let fields = context.changed_fields(new);
    if fields.is_empty() {
        return;
    }
    let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    let message = format!(
        "the Shoot is being deleted, so its specification cannot change, but it differs in {}",
        fields.join(", ")
    );
    findings
        .forbid(&FROZEN, FieldPath::new("spec"), message)
        .help(Help::restore("leave the specification as it is stored"));
}
