// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Kind, Write, rule};
use crate::rules::shared::lists::instead_of_missing;
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile};

rule! {
    page: include_str!("parent_missing.md"),
    id: "namespacedcloudprofile/parent-missing",
    summary: "rejects a NamespacedCloudProfile whose parent is not found",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create]; NamespacedCloudProfile [Update] [Itself, Status]],
    reads: [CloudProfile],
    findings: {
        MISSING = "namespacedcloudprofile/parent-missing": "the parent CloudProfile is not found",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    let name = new.spec.parent.name.as_str();
    let path = FieldPath::new("spec.parent.name");
    let found = findings.known(
        context.get::<CloudProfile>(name),
        &path,
        format_args!("whether there is a CloudProfile `{name}`"),
    );
    if let Some(None) = found {
        let message = format!("there is no CloudProfile `{name}`");
        let otherwise = "name an existing CloudProfile, or create it first";
        findings.not_found(&MISSING, path, message).value(name).help(instead_of_missing(
            context,
            Kind::CloudProfile,
            name,
            otherwise,
        ));
    }
}
