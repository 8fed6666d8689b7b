// SPDX-License-Identifier: Apache-2.0
use crate::admission::rule;

rule! {
    page: include_str!("default_changes.md"),
    id: "audit/default-changes",
    summary: "warns about a Shoot that an upgrade of Gardener stores with other defaults",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    reads: [CloudProfile, NamespacedCloudProfile, Seed],
    findings: { pub DEFAULT_CHANGES = "audit/default-changes": "the later version of Gardener stores another default" },
    check: External,
}
