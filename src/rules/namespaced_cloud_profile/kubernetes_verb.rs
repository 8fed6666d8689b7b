use super::guarded_parts::{self, KUBERNETES};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::NamespacedCloudProfile;

rule! {
    /// ## What it checks
    /// Any change of `spec.kubernetes`, also its mere presence (`kubernetes: {}`), needs the verb `modify-spec-kubernetes`.
    ///
    /// ## Why
    /// An override extends the life of a Kubernetes version beyond the operators' decision.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.31.4
    ///       expirationDate: "2027-01-01T00:00:00Z"
    /// ```
    ///
    /// ## How to fix
    /// Keep the stored field, or ask an operator with the verb.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/customverbauthorizer/admission.go` (403). No differences. Versions that the API server drops
    /// silently because they are expired and new are dropped here first.
    id: "namespacedcloudprofile/kubernetes-verb",
    summary: "changing `spec.kubernetes` needs the verb `modify-spec-kubernetes`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/kubernetes-verb": "the requester may not change `spec.kubernetes`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&KUBERNETES, &VERB, context, profile, findings);
}
