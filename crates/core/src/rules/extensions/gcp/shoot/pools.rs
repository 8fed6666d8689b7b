//! Volumes and zones of worker pools. Source: `pkg/apis/gcp/validation/shoot.go`.

use super::judged::{Judged, POOL, SCRATCH};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Volume;

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        match &pool.volume {
            Some(volume) => check_volume(volume, &place.child("volume"), findings),
            None => {
                let message = format!("pool `{}` has no volume", short(&pool.name));
                place
                    .child("volume")
                    .report((&POOL, ErrorType::Required), message, findings)
                    .help("set it, for example to `{type: pd-balanced, size: 50Gi}`");
            }
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
    for (field, is_missing, help) in [
        ("type", volume.volume_type.is_none(), "set it, for example to `pd-balanced`"),
        ("size", volume.size.is_empty(), "set it, for example to `50Gi`"),
    ] {
        if is_missing {
            let message = format!("the volume has no `{field}`");
            place.child(field).report((&POOL, ErrorType::Required), message, findings).help(help);
        }
    }
    if volume.volume_type.as_deref() == Some(SCRATCH) {
        let message = format!("a boot disk cannot have the type `{SCRATCH}`");
        place
            .child("type")
            .report((&POOL, ErrorType::Invalid), message, findings)
            .value(SCRATCH)
            .help("use another type, for example `pd-balanced`");
    }
}
