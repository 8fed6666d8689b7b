// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::controllers::deletion::check_frozen;
use crate::rules::shared::validation::{CHANGED, Part, changed};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "controllerinstallation/immutable-fields",
    summary: "rejects changes of a ControllerInstallation's immutable fields",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerInstallation [Update]],
    findings: {
        CHANGED,
        FROZEN = "controllerinstallation/deleting": "the spec of a ControllerInstallation is changed during its deletion",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    if check_frozen(context, ("ControllerInstallation", &FROZEN), findings) {
        return;
    }
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    compare(&new, &old, ["spec", "registrationRef", "name"], "spec.registrationRef.name", findings);
    let both = |field| new.at(&["spec", field]).is_some() && old.at(&["spec", field]).is_some();
    if both("seedRef") {
        compare(&new, &old, ["spec", "seedRef", "name"], "spec.seedRef.name", findings);
    }
    let is_set = |object: &Part<'_>| object.at(&["spec", "shootRef"]).is_some();
    if both("shootRef") {
        compare(&new, &old, ["spec", "shootRef", "name"], "spec.shootRef.name", findings);
        let namespace = ["spec", "shootRef", "namespace"];
        compare(&new, &old, namespace, "spec.shootRef.namespace", findings);
    } else if is_set(&new) != is_set(&old) {
        let was = old.at(&["spec", "shootRef"]);
        changed(&was.unwrap_or_else(|| Part::absent("spec.shootRef")), findings);
    }
}

fn compare(
    new: &Part<'_>,
    old: &Part<'_>,
    path: [&'static str; 3],
    field: &'static str,
    findings: &mut Findings,
) {
    if new.text_at(&path) != old.text_at(&path) {
        let was = old.at(&path);
        changed(&was.unwrap_or_else(|| Part::absent(field)), findings);
    }
}
