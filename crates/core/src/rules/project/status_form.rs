// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::validation::{MISSING, Part};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("status_form.md"),
    id: "project/status-form",
    summary: "rejects removal of a Project's phase",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Project [Update] [Status]],
    findings: { MISSING },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Project>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let phase = |project: &Part<'_>| project.text_at(&["status", "phase"]);
    if !phase(&old).is_empty() && phase(&new).is_empty() {
        let message = format!("the phase was `{}`, and is removed", phase(&old));
        let field = FieldPath::new("status.phase");
        findings.invalid(&MISSING, field, message).help("write the phase");
    }
}
