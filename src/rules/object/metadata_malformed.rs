use crate::engine::{Context, Findings, rule};
use crate::rules::shared::validation::{MALFORMED, Part, TOO_LONG, check_kept_metadata};

rule! {
    /// ## What it checks
    /// Labels, annotations, owners and finalizers are well-formed in writes of a status, and in changes of an ExposureClass.
    ///
    /// ## Why
    /// They are stored with the status, too.
    ///
    /// ## Applies to
    /// The subresource `status` of Shoots, Projects, CloudProfiles, NamespacedCloudProfiles and Seeds, and ExposureClasses, on UPDATE, in `garden-gate review`:
    /// an API server has refused the request before it calls a webhook. The rules for static validation of each kind check other writes.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     my note: ""   # no spaces
    /// ```
    ///
    /// ## How to fix
    /// Correct the key or value that the message names.
    ///
    /// ## Gardener
    /// `ValidateObjectMetaUpdate` of Kubernetes (422).
    id: "object/metadata-malformed",
    summary: "metadata are well-formed where only a status is written",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [
        Shoot [Update] [Status];
        Project [Update] [Status];
        CloudProfile [Update] [Status];
        NamespacedCloudProfile [Update] [Status];
        Seed [Update] [Status];
        ExposureClass [Update];
    ],
    findings: { MALFORMED, TOO_LONG },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    check_kept_metadata(&Part::whole(context.new_opened()), findings);
}
