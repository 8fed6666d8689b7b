use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{
    DUPLICATE, LATEST_EXPIRATION, LATEST_EXPIRED, LATEST_UNKNOWN, MALFORMED, MISSING, check_latest,
    check_versions,
};

rule! {
    /// ## What it checks
    /// The profile has at least one Kubernetes version. Each consists of three numbers (`1.31.4`) and is listed once. The highest one, whatever its
    /// classification, has no expiration date, and its lifecycle does not end with `expired`.
    ///
    /// ## Why
    /// Shoots are updated to higher versions when theirs expires; at least one version must never expire.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE (after expired versions were dropped) and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.32.0
    ///       classification: preview
    ///       expirationDate: "2099-01-01T00:00:00Z"   # the highest
    ///     - version: v1.31.1                         # not three numbers
    /// ```
    ///
    /// ## How to fix
    /// Add a higher version before you give the highest one a date.
    ///
    /// ## Gardener
    /// `validateCloudProfileKubernetesSettings` in `pkg/api/core/validation/cloudprofile.go` (422). No differences; where Gardener
    /// reports `versions[]` without an index, the JSON pointer has it.
    id: "cloudprofile/kubernetes-versions",
    summary: "Kubernetes versions are well-formed, unique, and the highest never expires",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { MISSING, LATEST_UNKNOWN, LATEST_EXPIRATION, LATEST_EXPIRED, MALFORMED, DUPLICATE },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    let versions = &new.spec.kubernetes.versions;
    check_latest(versions, "spec", context.now, findings);
    check_versions(versions, "spec", findings);
}
