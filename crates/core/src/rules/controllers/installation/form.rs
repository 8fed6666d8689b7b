// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, TOO_LONG, check_metadata,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "controllerinstallation/form",
    summary: "rejects missing references of a ControllerInstallation",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerInstallation [Create, Update]],
    findings: { MALFORMED, MISSING, TOO_LONG },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let installation = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    let at = |field| installation.at(&["spec", field]);
    let (seed, shoot) = (at("seedRef"), at("shootRef"));
    if seed.is_none() && shoot.is_none() {
        let message = "neither `spec.seedRef` nor `spec.shootRef` is set";
        let help = "set `spec.seedRef`";
        findings.forbid(&MISSING, FieldPath::new("spec.seedRef"), message).help(help);
    }
    let needed = [
        ("registrationRef", "name", true),
        ("seedRef", "name", seed.is_some()),
        ("shootRef", "name", shoot.is_some()),
        ("shootRef", "namespace", shoot.is_some()),
    ];
    for (reference, name, _) in needed.into_iter().filter(|(_, _, is_needed)| *is_needed) {
        if installation.text_at(&["spec", reference, name]).is_empty() {
            let field = FieldPath::new("spec").child(reference).child(name);
            let message = format!("`{field}` is not set");
            let help = format!("set `{field}`");
            findings.required(&MISSING, field, message).help(help);
        }
    }
}
