// SPDX-License-Identifier: Apache-2.0
use super::classification::{UsedVersion, kubernetes_versions};
use super::written;
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("kubernetes_version_unsupported.md"),
    id: "hardened/kubernetes-version-unsupported",
    summary: "warns about a Kubernetes version that is not classified `supported`",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNSUPPORTED = "hardened/kubernetes-version-unsupported": "the profile does not classify the Kubernetes version as `supported`",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = written(shoot) else { return };
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let version = new.spec.kubernetes.version.as_str();
    let used = UsedVersion {
        field: FieldPath::new("spec.kubernetes.version"),
        version,
        name: || format!("Kubernetes `{version}`"),
    };
    let listed = kubernetes_versions(&offer);
    used.check(listed, (&UNSUPPORTED, context.now), findings);
}
