// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Kind, rule};
use crate::rules::shared::lists::instead_of_missing;
use garden_gate_model::api::{
    ExposureClass, ExposureClassScheduling, SeedSelector, Shoot, Toleration,
};

rule! {
    page: include_str!("exposureclass_scheduling.md"),
    id: "shoot/exposureclass-scheduling",
    summary: "adds the seed selector and tolerations of the ExposureClass to new Shoots",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create]],
    reads: [ExposureClass],
    findings: {
        CONFLICT = "shoot/exposureclass-scheduling": "the ExposureClass and the Shoot have conflicting seed labels or tolerations",
        pub(crate) CLASS_MISSING = "shoot/exposureclass-missing": "the ExposureClass that the Shoot references is not found",
    },
    check: Mutate(mutate),
}

/// Remedy for a missing ExposureClass if no other has a similar name.
pub(super) const OTHER_CLASS: &str =
    "name an ExposureClass of the landscape, or leave the field out";

/// Set on every new Shoot by `plugin/pkg/shoot/mutator`, which runs after the ExposureClass plugin.
const CREATED_BY: &str = "gardener.cloud/created-by";

fn mutate(context: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, findings: &mut Findings) {
    let requester = &context.request.user_info.username;
    if shoot.metadata.annotations.get(CREATED_BY) == Some(requester) {
        return;
    }
    let Some(name) = shoot.spec.exposure_class_name.clone() else {
        return;
    };
    let path = FieldPath::new("spec.exposureClassName");
    let class = context.get::<ExposureClass>(&name);
    let what = format_args!("what ExposureClass `{name}` demands");
    let Some(class) = findings.known(class, &path, what) else {
        return;
    };
    let Some(class) = class else {
        let message = format!("there is no ExposureClass `{name}`");
        let help = instead_of_missing(context, Kind::ExposureClass, &name, OTHER_CLASS);
        findings.forbid(&CLASS_MISSING, path, message).value(name).help(help);
        return;
    };
    let Some(scheduling) = &class.scheduling else {
        return;
    };
    check_conflicts(&name, scheduling, shoot, findings);
    if findings.is_empty() {
        merge(scheduling, shoot);
        shoot.metadata.annotations.insert(CREATED_BY.to_owned(), requester.clone());
    }
}

fn check_conflicts(
    class: &str,
    scheduling: &ExposureClassScheduling,
    shoot: &Shoot,
    findings: &mut Findings,
) {
    let own_labels = shoot.spec.seed_selector.as_ref().map(|selector| &selector.match_labels);
    for (label, value) in
        scheduling.seed_selector.iter().flat_map(|selector| &selector.match_labels)
    {
        if let Some(own) =
            own_labels.and_then(|labels| labels.get(label)).filter(|own| *own != value)
        {
            let path = FieldPath::new("spec.seedSelector.matchLabels").key(label);
            let message = format!(
                "label `{label}` is selected with `{own}`, but ExposureClass `{class}` needs `{value}`"
            );
            findings
                .forbid(&CONFLICT, path, message)
                .value(own.clone())
                .help("remove the label from the seed selector; the ExposureClass brings its own");
        }
    }
    for toleration in &scheduling.tolerations {
        let own = shoot.spec.tolerations.iter().position(|own| own.key == toleration.key);
        if let Some(index) = own {
            let path = FieldPath::new("spec.tolerations").index(index);
            report_conflict(class, toleration, &shoot.spec.tolerations[index], path, findings);
        }
    }
}

fn report_conflict(
    class: &str,
    wanted: &Toleration,
    own: &Toleration,
    path: FieldPath,
    findings: &mut Findings,
) {
    let message = format!(
        "toleration `{own}` conflicts with `{wanted}`, which ExposureClass `{class}` adds for the same key"
    );
    findings.forbid(&CONFLICT, path, message)
        .value(own.to_string())
        .help("remove the toleration; if it is a default, the Project and the ExposureClass do not fit together");
}

fn merge(scheduling: &ExposureClassScheduling, shoot: &mut Shoot) {
    if let Some(wanted) = &scheduling.seed_selector {
        merge_selector(wanted, shoot.spec.seed_selector.get_or_insert_default());
    }
    shoot.spec.tolerations.extend(scheduling.tolerations.iter().cloned());
}

fn merge_selector(wanted: &SeedSelector, own: &mut SeedSelector) {
    own.match_labels.extend(wanted.match_labels.clone());
    own.match_expressions.extend(wanted.match_expressions.iter().cloned());
    if !wanted.provider_types.is_empty() {
        let types: BTreeSet<String> =
            own.provider_types.drain(..).chain(wanted.provider_types.clone()).collect();
        own.provider_types = types.into_iter().collect();
    }
}
