use crate::engine::{Change, Context, Findings, rule};
use crate::model::CloudProfile;
use crate::rules::shared::profiles::{
    CLASSIFICATION, EXPIRED_EXPLICITLY, GATE_OFF, MIXED, STAGE_DUPLICATE, STAGE_ORDER,
    STAGE_UNSUPPORTED, START_MISSING, START_ORDER, check_lifecycle, image_version,
    kubernetes_versions,
};

rule! {
    /// ## What it checks
    /// Each Kubernetes and machine image version declares its lifecycle consistently. It uses either `classification`
    /// (`preview`, `supported`, `deprecated`) and `expirationDate`, or, if the feature gate VersionClassificationLifecycle is enabled,
    /// `lifecycle`: unique stages in the order `preview`, `supported`, `deprecated`, `expired`, all but the first with a
    /// start time that is not before the preceding one. `unavailable` is computed and cannot be declared.
    ///
    /// ## Why
    /// Updates of Shoots follow the classification; a contradiction would update them to the wrong version.
    ///
    /// ## Applies to
    /// CloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.30.5
    ///       classification: expired   # set expirationDate instead
    /// ```
    ///
    /// ## How to fix
    /// Use the classifications above, and set an expiration date to let a version expire.
    ///
    /// ## Gardener
    /// `validateExpirableVersion` in `pkg/api/core/validation/utils.go` (422). No differences. Without the feature gate, a version with a lifecycle
    /// is not checked further.
    id: "cloudprofile/lifecycle",
    summary: "classification, expiration date and lifecycle of a version make sense together",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        GATE_OFF, CLASSIFICATION, EXPIRED_EXPLICITLY, MIXED, STAGE_UNSUPPORTED, STAGE_DUPLICATE,
        STAGE_ORDER, START_MISSING, START_ORDER,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new else { return };
    let gate = context
        .config
        .feature_gates
        .version_classification_lifecycle;
    for (index, version) in new.spec.kubernetes.versions.iter().enumerate() {
        let place = || kubernetes_versions("spec").index(index);
        check_lifecycle(version, gate, &place, findings);
    }
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version("spec", image, index);
            check_lifecycle(version, gate, &place, findings);
        }
    }
}
