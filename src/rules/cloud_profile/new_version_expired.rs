use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{NewVersions, check_not_expired};

rule! {
    /// ## What it checks
    /// A version that the profile did not have before has not expired yet, neither by its expiration date nor by its lifecycle.
    ///
    /// ## Why
    /// Nobody can use it, and Shoots would be forced off it at once; most likely the date is wrong.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE, for Kubernetes and machine image versions. It looks at the object as it was sent: on
    /// CREATE the API server drops such versions without a word.
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
    /// Correct the date, or leave the version out.
    ///
    /// ## Gardener
    /// Promised by `docs/usage/shoot-operations/shoot_versions.md`, but no longer enforced since v1.77: on CREATE such versions are dropped,
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
