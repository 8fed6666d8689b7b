// SPDX-License-Identifier: Apache-2.0
//! The zones of a Shoot and its region. Source: `pkg/apis/azure/validation/infrastructure.go`.

use std::collections::HashSet;

use super::judged::{Judged, ZONES, in_infrastructure};
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::lists::{short, use_one_of};
use garden_gate_model::api::CloudProfileSpec;
use garden_gate_model::api::extensions::azure::infrastructure::InfrastructureConfig;

/// Checks that new zones are available in the region.
pub(super) fn check(
    judged: &Judged<'_>,
    old: Option<&InfrastructureConfig>,
    profile: &CloudProfileSpec,
    findings: &mut Findings,
) {
    let mut regions = profile.regions.iter();
    let Some(region) = regions.find(|it| it.name == judged.shoot.spec.region) else {
        return;
    };
    let names = || region.zones.iter().map(|it| it.name.as_str());
    let known: HashSet<&str> = names().collect();
    let old: HashSet<i32> =
        old.map_or(&[][..], |it| &it.networks.zones).iter().map(|it| it.name).collect();
    for (index, zone) in judged.infrastructure.networks.zones.iter().enumerate() {
        let name = zone.name.to_string();
        if old.contains(&zone.name) || known.contains(name.as_str()) {
            continue;
        }
        findings.report_lazily(&ZONES, |findings| {
            let message =
                format!("zone {name} is not available in region `{}`", short(&region.name));
            in_infrastructure("networks.zones")
                .index(index)
                .child("name")
                .report((&ZONES, ErrorType::NotSupported), message, findings)
                .value(zone.name)
                .help(use_one_of(names()));
        });
    }
}
