// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("exposure_class_unused.md"),
    id: "audit/exposure-class-unused",
    summary: "warns about an ExposureClass that no Shoot uses",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [ExposureClass [Update]],
    reads: [Shoot],
    findings: {
        UNUSED = "audit/exposure-class-unused": "no Shoot uses the ExposureClass",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, class: Write<'_, Named>, findings: &mut Findings) {
    let path = FieldPath::new("metadata.name");
    let name = &class.new.metadata.name;
    let Some(shoots) = findings.known(context.shoots(), &path, "who uses it") else {
        return;
    };
    if shoots.of_exposure_class(name).is_none() {
        let message = format!("no Shoot uses ExposureClass `{name}`");
        findings.forbid(&UNUSED, path, message).help("delete it, if nobody is going to need it");
    }
}
