// SPDX-License-Identifier: Apache-2.0
use super::{completed, kind};
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "binding/immutable-fields",
    summary: "rejects changes of a binding's immutable fields",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [SecretBinding [Update]; CredentialsBinding [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let namespace = &context.request.namespace;
    let completed = |json| completed(json, namespace);
    let (new, old) = (completed(context.new_opened()), completed(context.old_opened()));
    let parts = (&Part::whole(&new), &Part::whole(&old));
    check_immutable(kind(context).as_str(), &[], parts, findings);
}
