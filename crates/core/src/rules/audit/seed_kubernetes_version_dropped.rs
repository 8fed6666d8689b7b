// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Seed;
use garden_gate_model::api::kubernetes::{is_dropped, oldest_supported};

rule! {
    page: include_str!("seed_kubernetes_version_dropped.md"),
    id: "audit/seed-kubernetes-version-dropped",
    summary: "warns about a Seed whose Kubernetes version Gardener does not support any more",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Seed [Update]],
    findings: {
        DROPPED = "audit/seed-kubernetes-version-dropped": "Gardener does not support the Kubernetes version of the Seed any more",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Write<'_, Seed>, findings: &mut Findings) {
    let gardener = context.config.gardener_version;
    let version = &seed.new.status.kubernetes_version;
    if is_dropped(version, gardener) {
        let (gardener, oldest) = (gardener.known(), oldest_supported(gardener));
        let message = format!(
            "the Seed runs Kubernetes `{version}`, but Gardener {gardener} needs 1.{oldest} or later"
        );
        findings
            .forbid(&DROPPED, FieldPath::new("status.kubernetesVersion"), message)
            .value(version.as_str())
            .help(format!(
                "update the cluster of the Seed before Gardener is upgraded to {gardener}"
            ));
    }
}
