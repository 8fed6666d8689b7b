// SPDX-License-Identifier: Apache-2.0
//! Volumes and zones of worker pools. Source: `pkg/apis/aws/validation/shoot.go`.

use std::collections::HashSet;

use super::judged::{IO1, Judged, POOL};
use super::worker;
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::provider_shoots::{PoolVolumes, check_pool_zones};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::aws::worker::WorkerConfig;
use garden_gate_model::api::{Volume, Worker};

/// Maximum number of data volumes of a machine.
const DATA_VOLUMES: usize = 11;

const VOLUMES: PoolVolumes = PoolVolumes { kind: &POOL, example: "gp3" };

pub(super) fn check(
    judged: &Judged<'_>,
    workers: &[Option<WorkerConfig>],
    findings: &mut Findings,
) {
    let zones = &judged.infrastructure.networks.zones;
    let known: HashSet<&str> = zones.iter().map(|it| it.name.as_str()).collect();
    let pools = judged.shoot.spec.provider.workers.iter();
    for (index, (pool, config)) in pools.zip(workers).enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        check_volumes(pool, config.is_some(), &place, findings);
        let names = zones.iter().map(|it| &it.name);
        check_pool_zones(pool, &known, names, &POOL, &place.child("zones"), findings);
        if let Some(config) = config {
            worker::check(judged, (pool, config), &place.child("providerConfig"), findings);
        }
    }
}

fn check_volumes(pool: &Worker, has_config: bool, place: &ReportedPath, findings: &mut Findings) {
    let Some(volume) = VOLUMES.required(pool, place, findings) else {
        return;
    };
    check_volume(volume, &place.child("volume"), findings);
    VOLUMES.check_count(pool, DATA_VOLUMES, place, findings);
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
