// SPDX-License-Identifier: Apache-2.0
use crate::admission::rule;

rule! {
    page: include_str!("maintenance_fails.md"),
    id: "audit/maintenance-fails",
    summary: "warns about a Shoot whose next maintenance will fail",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        pub BLOCKED = "audit/maintenance-blocked": "a rule rejects the changes of the next maintenance",
        pub IMPOSSIBLE = "audit/no-update-possible": "the next maintenance must update a version, but no target version exists",
    },
    check: External,
}
