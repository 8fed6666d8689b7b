// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Kind, Update, rule};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shoot::exposure::exposureclass_scheduling::{CLASS_MISSING, OTHER_CLASS};
use garden_gate_model::api::{ExposureClass, Shoot};

rule! {
    page: include_str!("exposureclass_missing.md"),
    id: "shoot/exposureclass-missing",
    summary: "rejects a changed `spec.exposureClassName` whose ExposureClass is not found",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [ExposureClass],
    findings: { CLASS_MISSING },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let (name, before) = (&new.spec.exposure_class_name, &old.spec.exposure_class_name);
    let Some(name) = name.as_ref().filter(|_| name != before) else {
        return;
    };
    if new.metadata.deletion_timestamp.is_some() {
        return;
    }
    let path = FieldPath::new("spec.exposureClassName");
    let found = findings.known(
        context.get::<ExposureClass>(name),
        &path,
        format_args!("whether there is an ExposureClass `{name}`"),
    );
    if let Some(None) = found {
        let message = format!("there is no ExposureClass `{name}`");
        let help = instead_of_missing(context, Kind::ExposureClass, name, OTHER_CLASS);
        findings.forbid(&CLASS_MISSING, path, message).value(name.as_str()).help(help);
    }
}
