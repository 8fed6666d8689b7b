use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{OVERLAP, check_overlaps, image_version, kubernetes_versions};

rule! {
    /// ## What it checks
    /// At most one Kubernetes version of each minor version, and at most one version of each image, is classified `supported`.
    ///
    /// ## Why
    /// Updates choose the supported version of a minor version; with two, the choice is undefined.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.30.2
    ///       classification: supported
    ///     - version: 1.30.1
    ///       classification: supported
    /// ```
    ///
    /// ## How to fix
    /// Classify the older one `deprecated`.
    ///
    /// ## Gardener
    /// `validateSupportedVersionsConfiguration` in `pkg/api/core/validation/utils.go` (422). Gardener reports a version once for each
    /// other one, here it is reported once. Only versions with a `classification` are checked; `advice/supported-ambiguous` covers the further
    /// requirements of Gardener's documentation.
    id: "cloudprofile/supported-overlap",
    summary: "of each minor version only one version is classified `supported`",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { OVERLAP },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    let now = context.now;
    let path = kubernetes_versions("spec");
    let versions = &new.spec.kubernetes.versions;
    check_overlaps(versions, now, |index| path.index(index), findings);
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        let place = |index| image_version("spec", image, index);
        check_overlaps(&machine_image.versions, now, place, findings);
    }
}
