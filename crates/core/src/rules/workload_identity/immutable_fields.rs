// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, changed, check_immutable};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "workloadidentity/immutable-fields",
    summary: "rejects changes of a WorkloadIdentity's provider or subject",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [WorkloadIdentity [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    check_immutable("WorkloadIdentity", &["spec", "targetSystem"], (&new, &old), findings);
    let subject = ["status", "sub"];
    let is_left_out = context.request.is_converted && new.at(&subject).is_none();
    if let Some(was) = old.at(&subject).filter(|it| !it.is_empty() && !is_left_out)
        && new.text_at(&subject) != old.text_at(&subject)
    {
        changed(&was, findings);
    }
}
