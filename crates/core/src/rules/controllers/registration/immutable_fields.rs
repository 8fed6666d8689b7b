// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Help, Update, rule};
use crate::rules::controllers::deletion::check_frozen;
use crate::rules::shared::validation::{CHANGED, Part};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "controllerregistration/immutable-fields",
    summary: "rejects changes of a ControllerRegistration's immutable fields",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerRegistration [Update]],
    findings: {
        CHANGED,
        FROZEN = "controllerregistration/deleting": "the spec of a ControllerRegistration is changed during its deletion",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    if check_frozen(context, ("ControllerRegistration", &FROZEN), findings) {
        return;
    }
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let key = |it: &Part<'_>| (it.text_at(&["kind"]), it.text_at(&["type"]));
    let is_primary = |it: &Part<'_>| it.flag_at(&["primary"]) != Some(false);
    // Of several resources of a kind and type, the last one counts.
    let stored = old.items_at(&["spec", "resources"]);
    for resource in new.items_at(&["spec", "resources"]) {
        if let Some(known) = stored
            .iter()
            .rev()
            .find(|it| key(it) == key(&resource))
            .filter(|it| is_primary(it) != is_primary(&resource))
        {
            let was = is_primary(known);
            let message = format!("the field is immutable; it was `{was}`");
            findings
                .invalid(&CHANGED, resource.path().child("primary"), message)
                .help(Help::set(format!("write `primary: {was}`"), was));
        }
    }
}
