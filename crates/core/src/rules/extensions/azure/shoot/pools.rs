// SPDX-License-Identifier: Apache-2.0
//! Volumes and zones of worker pools. Source: `ValidateWorkers` in `pkg/apis/azure/validation/shoot.go`.

use std::collections::HashSet;

use super::judged::{Judged, POOL};
use super::worker;
use crate::admission::{ErrorType, FieldPath, Findings, Reported};
use crate::rules::extensions::provider_shoots::PoolVolumes;
use crate::rules::shared::lists::{list, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::azure::worker::WorkerConfig;
use garden_gate_model::api::{Volume, Worker};

/// Maximum number of data volumes of a machine.
const DATA_VOLUMES: usize = 64;

const VOLUMES: PoolVolumes = PoolVolumes { kind: &POOL, example: "StandardSSD_LRS" };

pub(super) fn check(
    judged: &Judged<'_>,
    workers: &[Option<WorkerConfig>],
    findings: &mut Findings,
) {
    let zones: HashSet<String> =
        judged.infrastructure.networks.zones.iter().map(|it| it.name.to_string()).collect();
    let pools = judged.shoot.spec.provider.workers.iter();
    for (index, (pool, config)) in pools.zip(workers).enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        check_volumes(pool, &place, findings);
        check_zones(judged, pool, &zones, &place.child("zones"), findings);
        if let Some(config) = config {
            worker::check(judged, (pool, config), &place.child("providerConfig"), findings);
        }
    }
}

fn check_volumes(pool: &Worker, place: &ReportedPath, findings: &mut Findings) {
    if let Some(volume) = VOLUMES.required(pool, place, findings) {
        check_volume(volume, &place.child("volume"), findings);
    }
    VOLUMES.check_count(pool, DATA_VOLUMES, place, findings);
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        check_volume(volume, &place.child("dataVolumes").index(index), findings);
    }
}

fn check_volume(volume: &Volume, place: &ReportedPath, findings: &mut Findings) {
    VOLUMES.check(volume, place, findings);
    if volume.encrypted.is_some() {
        findings.report_lazily(&POOL, |findings| {
            let message = "volumes on Azure have no `encrypted`, since they are always encrypted";
            place
                .child("encrypted")
                .report((&POOL, ErrorType::NotSupported), message, findings)
                .help("remove it");
        });
    }
}

fn check_zones(
    judged: &Judged<'_>,
    pool: &Worker,
    known: &HashSet<String>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let config = judged.infrastructure;
    let problem = match (config.zoned, pool.zones.is_empty()) {
        (true, true) => Some(("has no zones", "list zones of the region")),
        (false, false) => Some((
            "has zones, but the cluster has none",
            "remove `zones`; `zoned` of the `infrastructureConfig` cannot be changed",
        )),
        _ => None,
    };
    if let Some((problem, help)) = problem {
        let message = format!("pool `{}` {problem}", short(&pool.name));
        place.report((&POOL, ErrorType::Required), message, findings).help(help);
        return;
    }
    let mut used = HashSet::new();
    for (index, zone) in pool.zones.iter().enumerate() {
        if !used.insert(zone.as_str()) {
            findings.report_lazily(&POOL, |findings| {
                let message = format!("zone `{}` is a duplicate", short(zone));
                report_zone(zone, message, &place.index(index), findings)
                    .help("remove one of the two");
            });
        }
        let zones = &config.networks.zones;
        if !zones.is_empty() && !known.contains(zone) {
            findings.report_lazily(&POOL, |findings| {
                let message = format!("the `infrastructureConfig` has no zone `{}`", short(zone));
                let zones = list(zones.iter().map(|it| it.name));
                report_zone(zone, message, &place.index(index), findings)
                    .help(format!("use one of {zones}, or add it there"));
            });
        }
    }
}

fn report_zone<'f>(
    zone: &str,
    message: String,
    place: &ReportedPath,
    findings: &'f mut Findings,
) -> Reported<'f> {
    place.report((&POOL, ErrorType::Invalid), message, findings).value(zone)
}
