use super::guarded_parts::{self, MACHINE_IMAGES};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::NamespacedCloudProfile;

rule! {
    /// ## What it checks
    /// Any change of `spec.machineImages` needs the verb `modify-spec-machineimages`.
    ///
    /// ## Why
    /// A machine image runs on every node of a Shoot; operators decide which are safe.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   machineImages:
    ///   - name: custom-linux
    ///     updateStrategy: major
    ///     versions:
    ///     - version: 1.0.0
    /// ```
    ///
    /// ## How to fix
    /// Keep the stored field, or ask an operator with the verb.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/customverbauthorizer/admission.go` (403). No differences. Image versions that the API
    /// server drops silently because they are expired and new are dropped here first.
    id: "namespacedcloudprofile/machineimages-verb",
    summary: "changing `spec.machineImages` needs the verb `modify-spec-machineimages`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/machineimages-verb": "the requester may not change `spec.machineImages`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&MACHINE_IMAGES, &VERB, context, profile, findings);
}
