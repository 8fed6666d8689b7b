//! Volumes and zones of worker pools. Source: `pkg/apis/aws/validation/shoot.go`.

use std::collections::HashSet;

use super::judged::{IO1, Judged, POOL};
use super::worker;
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use crate::rules::shared::lists::{list, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::aws::worker::WorkerConfig;
use garden_gate_model::api::{Volume, Worker};

/// Maximum number of data volumes of a machine.
const DATA_VOLUMES: usize = 11;

pub(super) fn check(
    judged: &Judged<'_>,
    workers: &[Option<WorkerConfig>],
    findings: &mut Findings,
) {
    let zones = &judged.infrastructure.networks.zones;
    let zones: HashSet<&str> = zones.iter().map(|it| it.name.as_str()).collect();
    let pools = judged.shoot.spec.provider.workers.iter();
    for (index, (pool, config)) in pools.zip(workers).enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        check_volumes(pool, config.is_some(), &place, findings);
        check_zones(judged, pool, &zones, &place, findings);
        if let Some(config) = config {
            worker::check(judged, (pool, config), &place.child("providerConfig"), findings);
        }
    }
}

fn check_volumes(pool: &Worker, has_config: bool, place: &ReportedPath, findings: &mut Findings) {
    let Some(volume) = &pool.volume else {
        let message = format!("pool `{}` has no volume", short(&pool.name));
        place
            .child("volume")
            .report((&POOL, ErrorType::Required), message, findings)
            .help("set it, for example to `{type: gp3, size: 50Gi}`");
        return;
    };
    check_volume(volume, &place.child("volume"), findings);
    let count = pool.data_volumes.len();
    if count > DATA_VOLUMES {
        let message =
            format!("there are {count} data volumes, but at most {DATA_VOLUMES} are allowed");
        place
            .child("dataVolumes")
            .report((&POOL, ErrorType::TooMany), message, findings)
            .help(Help::remove("remove data volumes"));
    }
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        check_volume(volume, &place.child("dataVolumes").index(index), findings);
    }
    let is_io1 = |it: &Volume| it.volume_type.as_deref() == Some(IO1);
    if !has_config && (is_io1(volume) || pool.data_volumes.iter().any(is_io1)) {
        let message = format!("volumes of type `{IO1}` need a `WorkerConfig` with their `iops`");
        place
            .child("providerConfig")
            .report((&POOL, ErrorType::Required), message, findings)
            .help("add it, or use the type `gp3`");
    }
}

fn check_volume(volume: &Volume, place: &ReportedPath, findings: &mut Findings) {
    for (field, is_missing, help) in [
        ("size", volume.size.is_empty(), "set it, for example to `50Gi`"),
        ("type", volume.volume_type.is_none(), "set it, for example to `gp3`"),
    ] {
        if is_missing {
            findings.report_lazily(&POOL, |findings| {
                place
                    .child(field)
                    .report(
                        (&POOL, ErrorType::Required),
                        format!("the volume has no `{field}`"),
                        findings,
                    )
                    .help(help);
            });
        }
    }
}

fn check_zones(
    judged: &Judged<'_>,
    pool: &Worker,
    known: &HashSet<&str>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let place = place.child("zones");
    if pool.zones.is_empty() {
        let message = format!("pool `{}` has no zones", short(&pool.name));
        place
            .report((&POOL, ErrorType::Required), message, findings)
            .help("list zones of the `infrastructureConfig`");
    }
    for (index, zone) in pool.zones.iter().enumerate() {
        if !known.contains(zone.as_str()) {
            findings.report_lazily(&POOL, |findings| {
                let zones = &judged.infrastructure.networks.zones;
                let message = format!("the `infrastructureConfig` has no zone `{}`", short(zone));
                place
                    .index(index)
                    .report((&POOL, ErrorType::Invalid), message, findings)
                    .value(zone.as_str())
                    .help(format!(
                        "use one of {}, or add it there",
                        list(zones.iter().map(|it| &it.name))
                    ));
            });
        }
    }
}
