use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{
    DUPLICATE_IMAGE, DUPLICATE_VERSION, LATEST_UNDETERMINED, MALFORMED_NAME, MALFORMED_VERSION,
    NO_IMAGES, NO_VERSIONS, UPDATE_STRATEGY, check_images, check_present,
};

rule! {
    /// ## What it checks
    /// The profile has at least one machine image. Each has a name, an update strategy (`major`, `minor` or `patch`) and at least one version.
    /// Each version is a semantic version, parsed leniently (`1.2`, `v1.2.3`, `18.4.0-x+y`). Names and versions are unique.
    ///
    /// ## Why
    /// Updates of worker pools compare image versions and follow the strategy.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE (after expired versions were dropped) and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   machineImages:
    ///   - name: gardenlinux
    ///     updateStrategy: latest     # does not exist
    ///     versions:
    ///     - version: 1.2.3.4         # four numbers
    /// ```
    ///
    /// ## How to fix
    /// Use one of the three strategies; name versions with at most three numbers.
    ///
    /// ## Gardener
    /// `ValidateMachineImages` in `pkg/api/core/validation/utils.go` and `ValidateCloudProfileMachineImages` in
    /// `pkg/api/core/validation/cloudprofile.go` (422). No differences.
    id: "cloudprofile/machine-images",
    summary: "machine images and their versions are well-formed and unique",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        NO_IMAGES, LATEST_UNDETERMINED, DUPLICATE_IMAGE, MALFORMED_NAME, NO_VERSIONS,
        UPDATE_STRATEGY, DUPLICATE_VERSION, MALFORMED_VERSION,
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    check_present(&new.spec.machine_images, "spec", findings);
    check_images(&new.spec.machine_images, "spec", findings);
}
