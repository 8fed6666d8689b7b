// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{CompareError, Version, compare_versions};

rule! {
    page: include_str!("worker_kubernetes_version_skew.md"),
    id: "shoot/worker-kubernetes-version-skew",
    summary: "rejects an unsupported version skew between worker pool and control plane",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        ABOVE = "shoot/worker-kubernetes-version-above-control-plane": "a pool has a later Kubernetes version than the control plane",
        SKEW = "shoot/worker-kubernetes-version-skew": "a pool is more than three minor versions behind the control plane",
        UNREADABLE = "shoot/worker-kubernetes-version-incomparable": "the Kubernetes version of a pool cannot be compared with the control plane's",
    },
    check: Judge(check),
}

/// The maximum number of minor versions by which nodes may be behind.
const FARTHEST: u64 = 3;

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let control_plane = new.spec.kubernetes.version.as_str();
    for pool in pool_pairs::pairs(new, shoot.old) {
        let Some(own) = pool.new.own_version() else {
            continue;
        };
        let path = pool.path().child("kubernetes").child("version");
        check_pool(&pool.new.name, own, control_plane, &path, findings);
    }
}

fn check_pool(
    name: &str,
    own: &str,
    control_plane: &str,
    path: &FieldPath,
    findings: &mut Findings,
) {
    // An invalid version may still be compared in one direction, and Gardener reports the result.
    let is_above = compare_versions(own, ">", control_plane);
    if is_above == Ok(true) {
        let message = format!(
            "pool `{name}` would run Kubernetes `{own}`, later than the control plane's `{control_plane}`"
        );
        findings.forbid(&ABOVE, path.clone(), message).value(own).help(
            "update the Kubernetes version of the Shoot first, or leave out that of the pool",
        );
    }
    match is_above.and_then(|_| is_too_far(own, control_plane)) {
        Ok(false) => {}
        Ok(true) => {
            let message = format!(
                "pool `{name}` would run Kubernetes `{own}`, more than {FARTHEST} minor versions behind the control plane's `{control_plane}`"
            );
            findings.forbid(&SKEW, path.clone(), message).value(own).help("update the pool first");
        }
        Err(why) => {
            let message = format!(
                "Kubernetes version `{own}` of pool `{name}` cannot be compared with the control plane's `{control_plane}`: {why}"
            );
            findings
                .invalid(&UNREADABLE, path.clone(), message)
                .value(own)
                .help("use a version of the form `1.2.3`");
        }
    }
}

fn is_too_far(own: &str, control_plane: &str) -> Result<bool, CompareError> {
    let pool = Version::parse(own)?;
    let minor = pool.minor.wrapping_add(FARTHEST + 1);
    compare_versions(control_plane, ">=", &format!("{}.{minor}.0", pool.major))
}
