// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("scope_immutable.md"),
    id: "quota/scope-immutable",
    summary: "rejects a change of a Quota's immutable scope",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Quota [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    check_immutable("Quota", &["spec"], (&new, &old), findings);
}
