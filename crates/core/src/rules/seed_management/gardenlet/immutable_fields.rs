// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::seed_management::completed::Completed;
use crate::rules::shared::validation::{CHANGED, check_immutable};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "gardenlet/immutable-fields",
    summary: "rejects changes of immutable fields of a ManagedSeed, ManagedSeedSet or Gardenlet",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Update]; ManagedSeedSet [Update]; Gardenlet [Update]],
    reads: [Shoot],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    if let Some(objects) = Completed::of(context) {
        let kind = objects.kind.as_str();
        objects.parts(|new, old| check_immutable(kind, &["spec"], (new, old), findings));
    }
}
