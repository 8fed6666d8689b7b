// SPDX-License-Identifier: Apache-2.0
use super::kubelet::Kubelet;
use super::received;
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("alpha_features.md"),
    id: "hardened/alpha-features",
    summary: "warns about components of Kubernetes with all alpha features",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        ALL_ALPHA = "hardened/alpha-features": "the feature gate `AllAlpha` is enabled",
    },
    check: Judge(check),
}

/// The components whose configuration is common to all worker pools: fields and names.
const COMPONENTS: [(&str, &str); 4] = [
    ("kubeAPIServer", "kube-apiserver"),
    ("kubeControllerManager", "kube-controller-manager"),
    ("kubeScheduler", "kube-scheduler"),
    ("kubeProxy", "kube-proxy"),
];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    for (field, name) in COMPONENTS {
        if let Some(component) = shoot.at(&["spec", "kubernetes", field]) {
            check_component(&component, || name.to_owned(), findings);
        }
    }
    for kubelet in Kubelet::all(&shoot) {
        check_component(&kubelet.settings, || kubelet.name(), findings);
    }
}

fn check_component(component: &Part<'_>, name: impl FnOnce() -> String, findings: &mut Findings) {
    let Some(gate) =
        component.at(&["featureGates", "AllAlpha"]).filter(|it| it.flag_at(&[]) == Some(true))
    else {
        return;
    };
    findings.report_lazily(&ALL_ALPHA, |findings| {
        let message = format!("feature gate `AllAlpha` is enabled for {}", name());
        findings
            .forbid(&ALL_ALPHA, gate.path().clone(), message)
            .value(true)
            .help("remove `AllAlpha`, and enable single feature gates where you need them");
    });
}
