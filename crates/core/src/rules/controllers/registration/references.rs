// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::references::{check_exists, referred};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, Named};

rule! {
    page: include_str!("references.md"),
    id: "controllerregistration/references",
    summary: "rejects a ControllerRegistration without its ControllerDeployment, or with resources of another one",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [ControllerRegistration [Create, Update]],
    reads: [ControllerRegistration, Names],
    findings: {
        MISSING = "controllerregistration/deployment-missing": "the ControllerDeployment of a ControllerRegistration is not found",
        TAKEN = "controllerregistration/resource-taken": "another extension is primary for a resource of a ControllerRegistration",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let registration = Part::whole(context.new_opened());
    for reference in referred(Kind::ControllerRegistration, &registration, "") {
        check_exists(context, (&reference, &MISSING), findings);
    }
    if !context.absence_is_known(Kind::ControllerRegistration) {
        return;
    }
    let path = FieldPath::new("spec.resources");
    let what = "which extensions are registered";
    let Some(all) = findings.known(context.controller_registrations(), &path, what) else {
        return;
    };
    // Gardener remembers one type of a kind: the last one.
    let own = registration.text_at(&["metadata", "name"]);
    let others = all.filter(|it| it.metadata.name != own);
    let mut taken: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for other in others {
        for resource in other.spec.resources.iter().filter(|it| it.primary != Some(false)) {
            taken.insert(&resource.kind, (&resource.class, &other.metadata.name));
        }
    }
    for resource in registration.items_at(&["spec", "resources"]) {
        let [kind, class] = ["kind", "type"].map(|field| resource.text_at(&[field]));
        let is_primary = resource.flag_at(&["primary"]) != Some(false);
        let known = taken.get(kind.as_str()).filter(|(other, _)| is_primary && *other == class);
        if let Some((_, name)) = known {
            let message =
                format!("ControllerRegistration `{name}` is already primary for `{kind}/{class}`");
            findings
                .forbid(&TAKEN, resource.path().clone(), message)
                .help("set `primary: false`, or remove the resource there first");
        }
    }
}
