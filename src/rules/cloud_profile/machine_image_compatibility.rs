use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{
    ARCHITECTURES, CRI, Defined, FLAVORS, KUBELET_CONSTRAINT, MIN_VERSION, check_architectures,
    check_compatibility, check_cri, image_version,
};

rule! {
    /// ## What it checks
    /// The constraints of a machine image version are valid: `inPlaceUpdates.minVersionForUpdate` is a version,
    /// `kubeletVersionConstraint` a constraint, `cri` is `containerd`, `architectures` are `amd64` or `arm64`. If the profile defines
    /// `machineCapabilities`, the `capabilityFlavors` use only defined capabilities, with one architecture each.
    ///
    /// ## Why
    /// Worker pools get an image that fits their machine type and kubelet; an invalid constraint fits none.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   machineImages:
    ///   - name: gardenlinux
    ///     versions:
    ///     - version: 1877.5.0
    ///       architectures: [riscv64]            # does not exist
    ///       kubeletVersionConstraint: newer     # no constraint
    /// ```
    ///
    /// ## How to fix
    /// Write constraints as in `>= 1.29, < 1.31`.
    ///
    /// ## Gardener
    /// `pkg/api/core/validation/cloudprofile.go` (422). No differences; where Gardener reports the field
    /// `minVersionForInPlaceUpdate`, which does not exist, the JSON pointer is the real one.
    id: "cloudprofile/machine-image-compatibility",
    summary: "machine image versions say correctly where they fit",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { MIN_VERSION, KUBELET_CONSTRAINT, CRI, ARCHITECTURES, FLAVORS },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    let defined = Defined::by(&new.spec.machine_capabilities);
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version("spec", image, index);
            check_compatibility(version, &place, findings);
            check_cri(&version.cri, &place, findings);
            check_architectures(version, &defined, &place, findings);
        }
    }
}
