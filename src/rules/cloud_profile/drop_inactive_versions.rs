use crate::defaults;
use crate::engine::{Context, Findings, rule};
use crate::model::CloudProfile;

rule! {
    /// ## What it does
    /// A new CloudProfile loses the Kubernetes versions that are expired or not yet available, and the machine image versions that
    /// are expired. They are not reported otherwise. An image without remaining versions stays, and is then refused.
    ///
    /// ## Why
    /// A landscape can be re-created from old manifests.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE; never on UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.31.1
    ///     - version: 1.30.5
    ///       expirationDate: "2024-01-31T23:59:59Z"   # dropped
    /// ```
    ///
    /// ## How to fix
    /// It refuses nothing. Remove expired versions from the manifest, so that it matches the stored object.
    ///
    /// ## Gardener
    /// `dropInactiveVersions` in `pkg/apiserver/registry/core/cloudprofile/strategy.go`. No differences.
    id: "cloudprofile/drop-inactive-versions",
    summary: "new CloudProfiles lose versions that are expired or not yet available",
    phase: Mutating,
    level: Deny,
    scopes: [CloudProfile [Create]],
    effect: "expired and unavailable versions are dropped; nothing is refused",
    check: Mutate(mutate),
}

fn mutate(
    context: &Context<'_>,
    profile: &mut CloudProfile,
    _: Option<&CloudProfile>,
    findings: &mut Findings,
) {
    findings.remove(defaults::drop_from_cloud_profile(profile, context.now));
}
