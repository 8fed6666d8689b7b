// SPDX-License-Identifier: Apache-2.0
use super::parent;
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("machine_type_of_parent.md"),
    id: "namespacedcloudprofile/machine-type-of-parent",
    summary: "rejects new machine types that the parent CloudProfile has",
    phase: Admission,
    level: Deny,
    until: 144,
    scopes: [NamespacedCloudProfile [Create]; NamespacedCloudProfile [Update] [Itself, Status]],
    reads: [CloudProfile],
    findings: {
        OVERRIDE = "namespacedcloudprofile/machine-type-of-parent": "a new machine type exists in the parent",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    if new.spec.machine_types.is_empty() {
        return;
    }
    let Some(parent) = parent(context, new, findings) else {
        return;
    };
    let stored = profile.old.map(|old| &old.spec.machine_types);
    for (index, machine) in new.spec.machine_types.iter().enumerate() {
        let name = &machine.name;
        let is_stored = stored.is_some_and(|all| all.iter().any(|it| it.name == *name));
        let mut of_parent = parent.spec.machine_types.iter();
        if is_stored || !of_parent.any(|it| it.name == *name) {
            continue;
        }
        let field = FieldPath::new("spec.machineTypes").index(index);
        let message = format!("machine type `{name}` exists in the parent CloudProfile");
        findings
            .forbid(&OVERRIDE, field, message)
            .value(name.as_str())
            .help("choose another name, or use the machine type of the parent");
    }
}
