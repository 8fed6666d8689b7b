// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::fmt::Display;

use crate::admission::{ErrorType, FindingKind, Findings, Help};
use crate::rules::shared::lists::{list, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::{Volume, Worker};

/// The checks of volumes of worker pools.
pub(crate) struct PoolVolumes {
    pub(crate) kind: &'static FindingKind,
    /// A type of volume, as an example.
    pub(crate) example: &'static str,
}

impl PoolVolumes {
    /// Returns the volume of the pool at `place`; reports that there is none.
    pub(crate) fn required<'p>(
        &self,
        pool: &'p Worker,
        place: &ReportedPath,
        findings: &mut Findings,
    ) -> Option<&'p Volume> {
        if pool.volume.is_none() {
            let message = format!("pool `{}` has no volume", short(&pool.name));
            place
                .child("volume")
                .report((self.kind, ErrorType::Required), message, findings)
                .help(format!("set it, for example to `{{type: {}, size: 50Gi}}`", self.example));
        }
        pool.volume.as_ref()
    }

    /// Checks that the pool at `place` has at most `most` data volumes.
    pub(crate) fn check_count(
        &self,
        pool: &Worker,
        most: usize,
        place: &ReportedPath,
        findings: &mut Findings,
    ) {
        let count = pool.data_volumes.len();
        if count > most {
            let message = format!("there are {count} data volumes, but at most {most} are allowed");
            place
                .child("dataVolumes")
                .report((self.kind, ErrorType::TooMany), message, findings)
                .help(Help::remove("remove data volumes"));
        }
    }

    /// Checks that the volume at `place` has a type and a size.
    pub(crate) fn check(&self, volume: &Volume, place: &ReportedPath, findings: &mut Findings) {
        for (field, is_missing, example) in [
            ("type", volume.volume_type.is_none(), self.example),
            ("size", volume.size.is_empty(), "50Gi"),
        ] {
            if is_missing {
                findings.report_lazily(self.kind, |findings| {
                    let message = format!("the volume has no `{field}`");
                    place
                        .child(field)
                        .report((self.kind, ErrorType::Required), message, findings)
                        .help(format!("set it, for example to `{example}`"));
                });
            }
        }
    }
}

/// Checks that a pool has zones, all of them in the `infrastructureConfig`.
///
/// `known` and `listed` are the zones of the `infrastructureConfig`.
pub(crate) fn check_pool_zones<Z: Display>(
    pool: &Worker,
    known: &HashSet<&str>,
    listed: impl Iterator<Item = Z> + Clone,
    kind: &'static FindingKind,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if pool.zones.is_empty() {
        let message = format!("pool `{}` has no zones", short(&pool.name));
        place
            .report((kind, ErrorType::Required), message, findings)
            .help("list zones of the `infrastructureConfig`");
    }
    for (index, zone) in pool.zones.iter().enumerate() {
        if !known.contains(zone.as_str()) {
            findings.report_lazily(kind, |findings| {
                let message = format!("the `infrastructureConfig` has no zone `{}`", short(zone));
                place
                    .index(index)
                    .report((kind, ErrorType::Invalid), message, findings)
                    .value(zone.as_str())
                    .help(format!("use one of {}, or add it there", list(listed.clone())));
            });
        }
    }
}
