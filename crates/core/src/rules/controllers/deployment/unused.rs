// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Kind, Write, rule};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("unused.md"),
    id: "controllerdeployment/unused",
    summary: "warns about a ControllerDeployment that no ControllerRegistration names",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Review,
    scopes: [ControllerDeployment [Create, Update]],
    reads: [ControllerRegistration],
    findings: {
        UNUSED = "controllerdeployment/unused": "no ControllerRegistration names the ControllerDeployment",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, deployment: Write<'_, Named>, findings: &mut Findings) {
    let metadata = &deployment.new.metadata;
    // A deployment that is being deleted is unused on purpose.
    if metadata.deletion_timestamp.is_some()
        || !context.absence_is_known(Kind::ControllerRegistration)
    {
        return;
    }
    // Unknown registrations may name it.
    let Ok(mut registrations) = context.controller_registrations() else {
        return;
    };
    let name = metadata.name.as_str();
    let is_named = registrations.any(|it| {
        let mut references = it.spec.deployment.deployment_refs.iter();
        references.any(|it| it.name == name)
    });
    if !is_named {
        let message = format!("no ControllerRegistration names ControllerDeployment `{name}`");
        findings.forbid(&UNUSED, FieldPath::new("metadata.name"), message).value(name).help(
            "name it in `spec.deployment.deploymentRefs` of a ControllerRegistration, or delete it",
        );
    }
}
