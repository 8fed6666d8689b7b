// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::kubernetes::{is_dropped, oldest_supported};

rule! {
    page: include_str!("kubernetes_version_dropped.md"),
    id: "advice/kubernetes-version-dropped",
    summary: "warns about a Kubernetes version that Gardener does not support any more",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        DROPPED = "advice/kubernetes-version-dropped": "Gardener does not support the Kubernetes version of the Shoot or of a pool any more",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, write: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = write.new;
    if shoot.metadata.deletion_timestamp.is_some() {
        return;
    }
    let path = FieldPath::new("spec.kubernetes.version");
    report(context, &shoot.spec.kubernetes.version, "", &path, findings);
    for (index, pool) in shoot.spec.provider.workers.iter().enumerate() {
        let Some(version) = pool.own_version() else {
            continue;
        };
        let path = FieldPath::new("spec.provider.workers").index(index);
        let of = format!(" of pool `{}`", pool.name);
        report(context, version, &of, &path.descendant("kubernetes.version"), findings);
    }
}

fn report(
    context: &Context<'_>,
    version: &str,
    of: &str,
    path: &FieldPath,
    findings: &mut Findings,
) {
    let gardener = context.config.gardener_version;
    if !is_dropped(version, gardener) {
        return;
    }
    let (gardener, oldest) = (gardener.known(), oldest_supported(gardener));
    let message = format!(
        "Gardener {gardener} does not support Kubernetes `{version}`{of} any more; the oldest supported version is 1.{oldest}"
    );
    findings
        .invalid(&DROPPED, path.clone(), message)
        .value(version)
        .help(format!(
            "use 1.{oldest} or later; running clusters are updated one minor version at a time, before the upgrade of Gardener"
        ));
}
