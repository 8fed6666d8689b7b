// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("control_plane_zones_invalid.md"),
    id: "shoot/control-plane-zones-invalid",
    summary: "rejects duplicate control-plane zones and an invalid number of them",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        DUPLICATE = "shoot/control-plane-zones-duplicate": "a zone of the control plane is a duplicate",
        COUNT = "shoot/control-plane-zones-count": "the control plane has too few or too many zones",
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let zones = new.control_plane_zones();
    if zones.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.controlPlane.zones");
    let mut seen = BTreeSet::new();
    for (index, zone) in zones.iter().enumerate() {
        if !seen.insert(zone) {
            let message = format!("zone `{zone}` is named twice");
            findings
                .duplicate(&DUPLICATE, path.index(index), message)
                .value(zone.clone())
                .help("remove one of them");
        }
    }
    let (wanted, tolerance) =
        if new.survives_zones() { (3, "`zone`") } else { (1, "other than `zone`") };
    if seen.len() != wanted {
        let count = seen.len();
        let message =
            format!("a failure tolerance {tolerance} takes {wanted} different zones, not {count}");
        findings
            .invalid(&COUNT, path, message)
            .help("name as many zones, or none to leave them to Gardener");
    }
}
