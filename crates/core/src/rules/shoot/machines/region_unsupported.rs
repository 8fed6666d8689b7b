// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::Shoot;

use super::instead;

rule! {
    page: include_str!("region_unsupported.md"),
    id: "shoot/region-unsupported",
    summary: "rejects a region that the CloudProfile does not list",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNKNOWN = "shoot/region-unsupported": "the region is not listed in the profile",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let region = &new.spec.region;
    let stays = shoot.old.map_or("", |old| &old.spec.region) == region;
    if stays {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    let names: Vec<&str> = spec.regions.iter().map(|it| it.name.as_str()).collect();
    if !names.contains(&region.as_str()) {
        let message = format!("the profile does not have region `{region}`");
        findings
            .unsupported(&UNKNOWN, FieldPath::new("spec.region"), message)
            .value(region.as_str())
            .help(instead(region, &names, "region"));
    }
}
