use crate::engine::rule;

rule! {
    /// ## What it checks
    /// The next maintenance of a Shoot can do all that it has to: there is a version to go to, and no rule refuses the update.
    ///
    /// ## Why
    /// Maintenance does everything in one update. If that is refused, nothing of it happens, on any day, until somebody sees to it; versions
    /// expire meanwhile, and nobody is told.
    ///
    /// ## Applies to
    /// Shoots, in `garden-gate audit`. What is due within the next two days is looked at, as `garden-gate forecast` does.
    ///
    /// ## Example
    /// The Kubernetes version of a Shoot has expired, and a worker pool has a machine image that does not admit the next one.
    ///
    /// ## How to fix
    /// See to what refuses the update; `garden-gate forecast` tells what else is to come.
    ///
    /// ## Gardener
    /// The controller writes what failed into `status.lastMaintenance` of the Shoot, after it did.
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
