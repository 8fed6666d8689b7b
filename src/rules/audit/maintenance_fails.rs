use crate::engine::rule;

rule! {
    page: include_str!("maintenance_fails.md"),
    id: "audit/maintenance-fails",
    summary: "the next maintenance of a Shoot can do what it has to",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        pub(crate) BLOCKED = "audit/maintenance-blocked": "a rule refuses what the next maintenance would do",
        pub(crate) IMPOSSIBLE = "audit/no-update-possible": "the next maintenance has to update a version, and there is nothing to go to",
    },
    check: Told,
}
