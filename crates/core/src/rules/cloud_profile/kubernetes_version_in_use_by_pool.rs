// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::update;
use super::version_in_use::related_users;
use crate::admission::{Context, Findings, Help, Update, rule};
use crate::rules::shared::profiles::{Users, kubernetes_versions, removed_versions};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("kubernetes_version_in_use_by_pool.md"),
    id: "cloudprofile/kubernetes-version-in-use-by-pool",
    summary: "rejects removal of a Kubernetes version that a worker pool uses",
    phase: Admission,
    level: { documented: Deny, gardener: Off },
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        IN_USE = "cloudprofile/kubernetes-version-in-use-by-pool": "a Kubernetes version that worker pools run was removed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    let Some((name, Update { new, old })) = update(profile) else {
        return;
    };
    let removed = removed_versions(&old.kubernetes.versions, &new.kubernetes.versions);
    if removed.is_empty() {
        return;
    }
    let path = kubernetes_versions("spec");
    let Some(all) = findings.known(
        related_users(context, name),
        &path,
        "whether worker pools run removed versions",
    ) else {
        return;
    };
    let mut used: BTreeMap<&str, Users> = BTreeMap::new();
    let by_version = all.iter().flat_map(|users| users.by_pool_kubernetes());
    for (version, shoots) in by_version.filter(|(version, _)| removed.contains(version)) {
        used.entry(version).or_default().add(shoots, shoots.len());
    }
    for (version, users) in used {
        let message = format!(
            "Kubernetes version `{version}` cannot be removed from CloudProfile `{name}`: worker pools of {} run it",
            users.describe("Shoot")
        );
        findings
            .forbid(&IN_USE, path.clone(), message)
            .value(version)
            .help(Help::restore("put the version back, and update the pools first"));
    }
}
