use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{NewVersions, check_not_expired};

rule! {
    /// ## What it checks
    /// A new version of the profile has not expired yet, neither by its expiration date nor by its lifecycle.
    ///
    /// ## Why
    /// Such a version is useless, and Shoots would be updated by force at once. Probably the date is wrong.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE, for Kubernetes and machine image versions. The rule checks the object as it was sent: on
    /// CREATE the API server silently drops such versions.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.30.5               # new
    ///       expirationDate: "2024-01-31T23:59:59Z"
    /// ```
    ///
    /// ## How to fix
    /// Correct the date, or omit the version.
    ///
    /// ## Gardener
    /// Required by `docs/usage/shoot-operations/shoot_versions.md`, but not enforced since v1.77: on CREATE such versions are dropped,
    /// on UPDATE they are accepted. Off in profile `gardener`.
    id: "cloudprofile/new-version-expired",
    summary: "a new version has not expired already",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    acts_on_unchanged: [],
    findings: {
        EXPIRED = "cloudprofile/new-version-expired": "a version is new and has expired already",
    },
    check: Received(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    let old = profile.old.map(|old| &old.spec);
    let versions = NewVersions {
        kubernetes: &new.spec.kubernetes.versions,
        old_kubernetes: old.map_or(&[], |old| &old.kubernetes.versions),
        images: &new.spec.machine_images,
        old_images: old.map_or(&[], |old| &old.machine_images),
    };
    check_not_expired(&versions, context.now, &EXPIRED, findings);
}
