use crate::engine::{Check, FindingKind, rule};

rule! {
    /// ## What it does
    /// A new CloudProfile loses the Kubernetes versions that are expired or not yet available, and the machine image versions that
    /// are expired. Nothing else is said about them. An image that is left without versions stays, and is then refused.
    ///
    /// ## Why
    /// A landscape can be set up again from old manifests.
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
    /// It refuses nothing. Remove expired versions from the manifest, so that it says what is stored.
    ///
    /// ## Gardener
    /// `dropInactiveVersions` in `pkg/apiserver/registry/core/cloudprofile/strategy.go`. No differences.
    pub(crate) static RULE {
        id: "cloudprofile/drop-inactive-versions",
        summary: "new CloudProfiles lose versions that are expired or not yet available",
        phase: Mutating,
        scopes: [CloudProfile [Create] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [DROPPED],
        check: Check::DropFromCloudProfile,
    }
}

/// Never reported: the id by which the dropping can be switched off.
static DROPPED: FindingKind = FindingKind {
    id: "cloudprofile/drop-inactive-versions",
    summary: "expired and unavailable versions are dropped; nothing is refused",
};
