// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::values::values;
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, changed};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "internalsecret/immutable-fields",
    summary: "rejects changes of an InternalSecret's type, or of immutable data",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [InternalSecret [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let [class, was] = [&new, &old].map(|it| it.text_at(&["type"]));
    // An update without a type keeps the stored one.
    if !class.is_empty() && class != was {
        let before = old.at(&["type"]);
        changed(&before.unwrap_or_else(|| Part::absent("type")), findings);
    }
    let is_immutable = |it: &Part<'_>| it.flag_at(&["immutable"]) == Some(true);
    if !is_immutable(&old) {
        return;
    }
    let help = "create another InternalSecret, and refer to that";
    if !is_immutable(&new) {
        let message = "`immutable: true` cannot be reverted";
        findings.forbid(&CHANGED, FieldPath::new("immutable"), message).help(help);
    }
    if data(&new) != data(&old) {
        let message = "the data is immutable";
        findings.forbid(&CHANGED, FieldPath::new("data"), message).help(help);
    }
}

/// Returns the bytes by key.
fn data(secret: &Part<'_>) -> BTreeMap<String, Option<Vec<u8>>> {
    values(secret).into_iter().map(|it| (it.key, it.bytes)).collect()
}
