// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, REPEATED, TOO_LONG, UNSUPPORTED, check_metadata,
    check_plain_reference, check_plain_resources,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "shootstate/form",
    summary: "rejects invalid or missing fields of a ShootState",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ShootState [Create, Update]],
    findings: { MALFORMED, MISSING, REPEATED, TOO_LONG, UNSUPPORTED },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let state = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    for data in state.items_at(&["spec", "gardener"]) {
        need(&data, "name", findings);
    }
    // Gardener reports the resources of extensions as those of the ShootState.
    let reported = FieldPath::new("spec.resources");
    for extension in state.items_at(&["spec", "extensions"]) {
        need(&extension, "kind", findings);
        if extension.at(&["purpose"]).is_some() {
            need(&extension, "purpose", findings);
        }
        check_plain_resources(&extension.items_at(&["resources"]), &reported, findings);
    }
    for resource in state.items_at(&["spec", "resources"]) {
        check_plain_reference(&resource, resource.path(), findings);
    }
}

fn need(object: &Part<'_>, name: &'static str, findings: &mut Findings) {
    if object.text_at(&[name]).is_empty() {
        let message = format!("`{name}` is empty");
        let field = object.path().child(name);
        findings.invalid(&MISSING, field, message).help(format!("set `{name}`"));
    }
}
