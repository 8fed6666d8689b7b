// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("finalizer_on_create.md"),
    id: "shoot/finalizer-on-create",
    summary: "rejects a new Shoot with a finalizer reserved for Gardener",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create]],
    findings: {
        FINALIZER = "shoot/finalizer-on-create": "a new Shoot has a finalizer reserved for Gardener",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const RESERVED: [&str; 2] = ["gardener", "gardener.cloud/reference-protection"];

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for (index, finalizer) in new.metadata.finalizers.iter().enumerate() {
        if RESERVED.contains(&finalizer.as_str()) {
            let message = format!("finalizer `{finalizer}` cannot be set on a new Shoot");
            let field = FieldPath::new("metadata.finalizers").index(index);
            findings
                .forbid(&FINALIZER, field, message)
                .value(finalizer.as_str())
                .help(Help::remove("remove it; Gardener sets it when it is needed"));
        }
    }
}
