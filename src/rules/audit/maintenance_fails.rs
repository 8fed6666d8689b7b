use crate::engine::rule;

rule! {
    /// ## What it checks
    /// The next maintenance of a Shoot can make all required updates: a target version exists, and no rule refuses the update.
    ///
    /// ## Why
    /// Maintenance makes all changes in one update. If that is refused, maintenance makes no change until the cause is fixed. Meanwhile versions
    /// expire, and no user is notified.
    ///
    /// ## Applies to
    /// Shoots, in `garden-gate audit`. The rule checks updates that are due within the next two days, as `garden-gate forecast` does.
    ///
    /// ## Example
    /// The Kubernetes version of a Shoot has expired, and a worker pool has a machine image that does not admit the next one.
    ///
    /// ## How to fix
    /// Fix the cause of the refusal; `garden-gate forecast` lists later updates, too.
    ///
    /// ## Gardener
    /// The controller writes the failure into `status.lastMaintenance` of the Shoot afterwards.
    id: "audit/maintenance-fails",
    summary: "the next maintenance of a Shoot can do what it has to",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    door: Audit,
    scopes: [Shoot [Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        pub(crate) BLOCKED = "audit/maintenance-blocked": "a rule refuses what the next maintenance would do",
        pub(crate) IMPOSSIBLE = "audit/no-update-possible": "the next maintenance has to update a version, and there is nothing to go to",
    },
    check: Told,
}
