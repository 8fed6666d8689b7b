// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Help, rule};
use crate::rules::shared::profiles::{
    CLASSIFICATION, DUPLICATE, EXPIRED_EXPLICITLY, GATE_OFF, MALFORMED, MIXED, STAGE_DUPLICATE,
    STAGE_ORDER, STAGE_UNSUPPORTED, START_MISSING, START_ORDER, check_lifecycle, check_versions,
    kubernetes_versions,
};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("kubernetes_versions.md"),
    id: "namespacedcloudprofile/kubernetes-versions",
    summary: "rejects invalid, duplicate or classified Kubernetes version overrides",
    phase: Static,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: {
        CLASSIFIED = "namespacedcloudprofile/kubernetes-classification": "a Kubernetes version override has a classification",
        MALFORMED,
        DUPLICATE,
        GATE_OFF,
        CLASSIFICATION,
        EXPIRED_EXPLICITLY,
        MIXED,
        STAGE_UNSUPPORTED,
        STAGE_DUPLICATE,
        STAGE_ORDER,
        START_MISSING,
        START_ORDER,
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let Some(kubernetes) = profile.new.and_then(|new| new.spec.kubernetes.as_ref()) else {
        return;
    };
    let gate = context.config.feature_gates.version_classification_lifecycle;
    check_versions(&kubernetes.versions, "spec", findings);
    for (index, version) in kubernetes.versions.iter().enumerate() {
        let place = || kubernetes_versions("spec").index(index);
        check_lifecycle(version, gate, &place, findings);
        if let Some(classification) = &version.classification {
            let message = format!(
                "version `{}` cannot be classified here; its CloudProfile does that",
                version.version
            );
            let path = place().child("classification");
            findings
                .forbid(&CLASSIFIED, path, message)
                .value(classification.as_str())
                .help(Help::remove("remove the classification"));
        }
    }
}
