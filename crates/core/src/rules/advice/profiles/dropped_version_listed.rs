// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::admission::{Context, FindingKind, Findings, Write, rule};
use crate::rules::shared::profiles::{Profile, kubernetes_versions};
use garden_gate_model::api::kubernetes::{is_dropped, oldest_supported};
use garden_gate_model::api::{CloudProfile, ExpirableVersion};
use garden_gate_model::gardener::version::is_expired;

rule! {
    page: include_str!("dropped_version_listed.md"),
    id: "advice/dropped-version-listed",
    summary: "warns about a CloudProfile with a Kubernetes version that Gardener does not support any more",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    findings: {
        LISTED = "advice/dropped-version-listed": "the profile lists a Kubernetes version that Gardener does not support any more",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    report(context, &LISTED, profile, findings);
}

/// Reports dropped versions that have not expired and were not listed like that before.
pub(super) fn report<P: Profile>(
    context: &Context<'_>,
    kind: &'static FindingKind,
    Write { new, old }: Write<'_, P>,
    findings: &mut Findings,
) {
    let (gardener, now) = (context.config.gardener_version, context.now);
    let is_offered =
        |it: &ExpirableVersion| is_dropped(&it.version, gardener) && !is_expired(it, now);
    let known: HashSet<&str> = old
        .map(P::parts)
        .unwrap_or_default()
        .kubernetes
        .iter()
        .filter(|it| is_offered(it))
        .map(|it| it.version.as_str())
        .collect();
    for (index, listed) in new.parts().kubernetes.iter().enumerate() {
        let version = listed.version.as_str();
        if !is_offered(listed) || known.contains(version) {
            continue;
        }
        let (gardener, oldest) = (gardener.known(), oldest_supported(gardener));
        let message = format!(
            "Gardener {gardener} does not support Kubernetes `{version}` any more; the oldest supported version is 1.{oldest}"
        );
        let path = kubernetes_versions("spec").index(index).child("version");
        findings
            .invalid(kind, path, message)
            .value(version)
            .help("let the version expire, update its Shoots, and then remove it");
    }
}
