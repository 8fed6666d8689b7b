// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "backupbucket/immutable-fields",
    summary: "rejects changes of the provider or the Seed of a BackupBucket",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [BackupBucket [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    check_immutable("BackupBucket", &["spec"], (&new, &old), findings);
}
