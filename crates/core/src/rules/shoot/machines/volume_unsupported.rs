// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, ErrorType, FindingKind, Findings, Help, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::{Shoot, Volume, VolumeType};
use garden_gate_text::go::Quantity;

use super::{CheckedPool, each_pool, instead};

rule! {
    page: include_str!("volume_unsupported.md"),
    id: "shoot/volume-unsupported",
    summary: "rejects an unknown, unusable or too small root volume",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        UNKNOWN = "shoot/volume-type-unknown": "the profile does not list the volume type",
        UNUSABLE = "shoot/volume-type-unusable": "the volume type is unusable or missing in a zone of the pool",
        SMALL = "shoot/volume-too-small": "the volume is smaller than the minimum size in the profile",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    each_pool(context, shoot, findings, |checked, findings| {
        let Some((volume, name)) = typed(checked.pool.new.volume.as_ref()) else {
            return;
        };
        let old = checked.pool.old.and_then(|old| typed(old.volume.as_ref()));
        let stays = old.is_some_and(|(_, old)| old == name);
        let listed = checked.spec.volume_types.iter().find(|it| it.name == name);
        let problems = listed.map(|listed| problems_of(checked, listed));
        let pool = &checked.pool.new.name;
        match problems {
            None if !stays => findings.report_lazily(&UNKNOWN, |findings| {
                let message = format!(
                    "the profile does not list volume type `{name}`, which pool `{pool}` names"
                );
                report_type(checked, name, &UNKNOWN, ErrorType::NotSupported, message, findings);
            }),
            Some(problems) if !stays && !problems.is_empty() => {
                findings.report_lazily(&UNUSABLE, |findings| {
                    let message = format!(
                        "volume type `{name}` of pool `{pool}` {}",
                        problems.join(", and ")
                    );
                    report_type(checked, name, &UNUSABLE, ErrorType::Invalid, message, findings);
                });
            }
            _ => check_size(checked, volume, name, findings),
        }
    });
}

/// Returns the volume and its type, if it has one.
fn typed(volume: Option<&Volume>) -> Option<(&Volume, &str)> {
    let volume = volume?;
    Some((volume, volume.volume_type.as_deref()?))
}

fn report_type(
    checked: &CheckedPool<'_>,
    name: &str,
    kind: &'static FindingKind,
    error: ErrorType,
    message: String,
    findings: &mut Findings,
) {
    let types = checked.spec.volume_types.iter();
    let offered: Vec<&str> =
        types.filter(|it| problems_of(checked, it).is_empty()).map(|it| it.name.as_str()).collect();
    let field = checked.pool.path().child("volume").child("type");
    findings.report(kind, error, field, message).value(name).help(instead(
        name,
        &offered,
        "volume type",
    ));
}

/// Returns the reasons why a pool cannot use a volume type that the profile lists.
fn problems_of(checked: &CheckedPool<'_>, volume_type: &VolumeType) -> Vec<String> {
    let mut problems = Vec::new();
    if volume_type.usable == Some(false) {
        problems.push("is not usable".to_owned());
    }
    let zones = checked.zones_without(&volume_type.name, |zone| &zone.unavailable_volume_types);
    if !zones.is_empty() {
        problems.push(format!("is not available in zone {}", list(zones)));
    }
    problems
}

fn check_size(checked: &CheckedPool<'_>, volume: &Volume, name: &str, findings: &mut Findings) {
    let Ok(size) = Quantity::parse(&volume.size) else {
        return;
    };
    let machine_type = &checked.pool.new.machine.machine_type;
    let types = checked.spec.machine_types.iter();
    let of_machines = types.filter(|it| it.name == *machine_type);
    let storages =
        of_machines.filter_map(|it| it.storage.as_ref()).filter(|it| it.volume_type == name);
    let of_machines = storages.filter_map(|it| it.min_size.as_ref());
    let types = checked.spec.volume_types.iter().filter(|it| it.name == name);
    let of_volumes = types.filter_map(|it| it.min_size.as_deref());
    let Some(least) = of_machines.chain(of_volumes).find(|least| size < **least) else {
        return;
    };
    let message = format!(
        "the volume of pool `{}` has the size `{}`, and the profile asks for `{least}` at least",
        checked.pool.new.name, volume.size
    );
    let field = checked.pool.path().child("volume").child("size");
    findings
        .invalid(&SMALL, field, message)
        .value(volume.size.as_str())
        .help(Help::set(format!("write `{least}` or more"), least.to_string()));
}
