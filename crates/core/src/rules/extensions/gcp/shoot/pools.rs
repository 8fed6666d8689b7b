// SPDX-License-Identifier: Apache-2.0
//! Volumes and zones of worker pools. Source: `pkg/apis/gcp/validation/shoot.go`.

use super::judged::{Judged, POOL, SCRATCH};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::provider_shoots::PoolVolumes;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Volume;

const VOLUMES: PoolVolumes = PoolVolumes { kind: &POOL, example: "pd-balanced" };

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        if let Some(volume) = VOLUMES.required(pool, &place, findings) {
            check_volume(volume, &place.child("volume"), findings);
        }
        if pool.zones.is_empty() {
            let message = format!("pool `{}` has no zones", short(&pool.name));
            place
                .child("zones")
                .report((&POOL, ErrorType::Required), message, findings)
                .help("list zones of the region");
        }
    }
}

fn check_volume(volume: &Volume, place: &ReportedPath, findings: &mut Findings) {
    VOLUMES.check(volume, place, findings);
    if volume.volume_type.as_deref() == Some(SCRATCH) {
        let message = format!("a boot disk cannot have the type `{SCRATCH}`");
        place
            .child("type")
            .report((&POOL, ErrorType::Invalid), message, findings)
            .value(SCRATCH)
            .help("use another type, for example `pd-balanced`");
    }
}
