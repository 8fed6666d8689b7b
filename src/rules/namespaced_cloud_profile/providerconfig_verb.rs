use super::guarded_parts::{self, PROVIDER_CONFIG};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::NamespacedCloudProfile;

rule! {
    /// ## What it checks
    /// Any change of `spec.providerConfig`, compared byte for byte, needs the verb `modify-spec-providerconfig`.
    ///
    /// ## Why
    /// The provider configuration maps machine images to those of the infrastructure.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   providerConfig:
    ///     apiVersion: provider.example.org/v1alpha1
    ///     kind: CloudProfileConfig
    /// ```
    ///
    /// ## How to fix
    /// Keep the stored field, or ask an operator with the verb.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/customverbauthorizer/admission.go` (403). No differences.
    id: "namespacedcloudprofile/providerconfig-verb",
    summary: "changing `spec.providerConfig` needs the verb `modify-spec-providerconfig`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/providerconfig-verb": "the requester may not change `spec.providerConfig`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&PROVIDER_CONFIG, &VERB, context, profile, findings);
}
