// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, ErrorType, FindingKind, Findings, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::{MachineType, Shoot};

use super::{CheckedPool, each_pool, instead};

rule! {
    page: include_str!("machine_type_unsupported.md"),
    id: "shoot/machine-type-unsupported",
    summary: "rejects an unknown or unusable machine type",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNKNOWN = "shoot/machine-type-unknown": "the profile does not list the machine type",
        UNUSABLE = "shoot/machine-type-unusable": "the machine type is unusable, missing in a zone, or of another architecture",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    each_pool(context, shoot, findings, |checked, findings| {
        let (new, old) = (&checked.pool.new.machine, checked.pool.old.map(|old| &old.machine));
        let stays = old.is_some_and(|old| {
            old.machine_type == new.machine_type && old.architecture == new.architecture
        });
        let name = &new.machine_type;
        let listed = checked.spec.machine_types.iter().find(|it| it.name == *name);
        let problems = listed.map(|listed| problems_of(checked, listed));
        match problems {
            _ if stays => {}
            None => findings.report_lazily(&UNKNOWN, |findings| {
                let message = format!(
                    "the profile does not list machine type `{name}`, which pool `{}` names",
                    checked.pool.new.name
                );
                report(checked, &UNKNOWN, ErrorType::NotSupported, message, findings);
            }),
            Some(problems) if problems.is_empty() => {}
            Some(problems) => findings.report_lazily(&UNUSABLE, |findings| {
                let reasons = problems.join(", and ");
                let message =
                    format!("machine type `{name}` of pool `{}` {reasons}", checked.pool.new.name);
                report(checked, &UNUSABLE, ErrorType::Invalid, message, findings);
            }),
        }
    });
}

fn report(
    checked: &CheckedPool<'_>,
    kind: &'static FindingKind,
    error: ErrorType,
    message: String,
    findings: &mut Findings,
) {
    let name = &checked.pool.new.machine.machine_type;
    let types = checked.spec.machine_types.iter();
    let offered: Vec<&str> =
        types.filter(|it| problems_of(checked, it).is_empty()).map(|it| it.name.as_str()).collect();
    let field = checked.pool.path().child("machine").child("type");
    findings.report(kind, error, field, message).value(name.as_str()).help(instead(
        name,
        &offered,
        "machine type",
    ));
}

/// Returns the reasons why a pool cannot use a machine type that the profile lists.
fn problems_of(checked: &CheckedPool<'_>, machine_type: &MachineType) -> Vec<String> {
    let mut problems = Vec::new();
    if machine_type.usable == Some(false) {
        problems.push("is not usable".to_owned());
    }
    let zones = checked.zones_without(&machine_type.name, |zone| &zone.unavailable_machine_types);
    if !zones.is_empty() {
        problems.push(format!("is not available in zone {}", list(zones)));
    }
    let architecture = machine_type.architecture_within(checked.spec.defined_architectures());
    let wanted = checked.pool.new.machine.architecture.as_deref();
    if architecture.unwrap_or_default() != wanted.unwrap_or_default() {
        let (has, wanted) = (architecture.unwrap_or("unknown"), wanted.unwrap_or("none"));
        problems.push(format!("has the architecture `{has}`, and the pool `{wanted}`"));
    }
    problems
}
