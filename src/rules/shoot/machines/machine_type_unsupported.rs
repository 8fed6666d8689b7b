use crate::admission::{Change, Context, ErrorType, FindingKind, Findings, rule};
use crate::api::{MachineType, Shoot};
use crate::rules::shared::lists::list;

use super::{Place, each_pool, instead};

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
    each_pool(context, shoot, findings, |place, findings| {
        let (new, old) = (&place.pool.new.machine, place.pool.old.map(|old| &old.machine));
        let stays = old.is_some_and(|old| {
            old.machine_type == new.machine_type && old.architecture == new.architecture
        });
        let name = &new.machine_type;
        let listed = place.spec.machine_types.iter().find(|it| it.name == *name);
        let problems = listed.map(|listed| problems_of(place, listed));
        match problems {
            _ if stays => {}
            None => findings.report_lazily(&UNKNOWN, |findings| {
                let message = format!(
                    "the profile does not list machine type `{name}`, which pool `{}` names",
                    place.pool.new.name
                );
                report(place, (&UNKNOWN, ErrorType::NotSupported), message, findings);
            }),
            Some(problems) if problems.is_empty() => {}
            Some(problems) => findings.report_lazily(&UNUSABLE, |findings| {
                let problems = problems.join(", and ");
                let message =
                    format!("machine type `{name}` of pool `{}` {problems}", place.pool.new.name);
                report(place, (&UNUSABLE, ErrorType::Invalid), message, findings);
            }),
        }
    });
}

fn report(
    place: &Place<'_>,
    (kind, error): (&'static FindingKind, ErrorType),
    message: String,
    findings: &mut Findings,
) {
    let name = &place.pool.new.machine.machine_type;
    let types = place.spec.machine_types.iter();
    let offered = types.filter(|it| problems_of(place, it).is_empty());
    let offered: Vec<&str> = offered.map(|it| it.name.as_str()).collect();
    let field = place.pool.path().child("machine").child("type");
    findings.report(kind, error, field, message).value(name.as_str()).help(instead(
        name,
        &offered,
        "machine type",
    ));
}

/// Returns the reasons why a pool cannot use a machine type that the profile lists.
fn problems_of(place: &Place<'_>, machine_type: &MachineType) -> Vec<String> {
    let mut problems = Vec::new();
    if machine_type.usable == Some(false) {
        problems.push("is not usable".to_owned());
    }
    let zones = place.zones_without(&machine_type.name, |zone| &zone.unavailable_machine_types);
    if !zones.is_empty() {
        problems.push(format!("is not available in zone {}", list(zones)));
    }
    let architecture = machine_type.architecture_within(place.spec.defined_architectures());
    let wanted = place.pool.new.machine.architecture.as_deref();
    if architecture.unwrap_or_default() != wanted.unwrap_or_default() {
        let (has, wanted) = (architecture.unwrap_or("unknown"), wanted.unwrap_or("none"));
        problems.push(format!("has the architecture `{has}`, and the pool `{wanted}`"));
    }
    problems
}
