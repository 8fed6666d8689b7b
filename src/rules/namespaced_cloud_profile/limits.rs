use crate::engine::{Change, Context, Findings, rule};
use crate::model::NamespacedCloudProfile;
use crate::rules::shared::profiles::{NOT_POSITIVE, check_positive};

rule! {
    /// ## What it checks
    /// `spec.limits.maxNodesTotal` is positive. Unlike that of a CloudProfile, it may be lowered.
    ///
    /// ## Why
    /// The limit replaces the CloudProfile's. One of zero or less would allow no Shoot, and is not merged anyway.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   limits:
    ///     maxNodesTotal: 0
    /// ```
    ///
    /// ## How to fix
    /// Set a positive number, or remove the limit.
    ///
    /// ## Gardener
    /// `pkg/api/core/validation/namespacedcloudprofile.go` (422). No differences.
    id: "namespacedcloudprofile/limits",
    summary: "the limit on nodes is positive",
    phase: Static,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: { NOT_POSITIVE },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Change<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    if let Some(limits) = profile.new.and_then(|new| new.spec.limits) {
        check_positive(limits, findings);
    }
}
