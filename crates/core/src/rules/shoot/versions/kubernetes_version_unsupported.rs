// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::versions::offered_kubernetes::{self, Allowed, Kinds};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("kubernetes_version_unsupported.md"),
    id: "shoot/kubernetes-version-unsupported",
    summary: "rejects an unknown, expired or unavailable Kubernetes version",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        UNKNOWN = "shoot/kubernetes-version-unknown": "the profile does not list the Kubernetes version",
        EXPIRED = "shoot/kubernetes-version-expired": "the Kubernetes version of a new Shoot has expired",
        UNAVAILABLE = "shoot/kubernetes-version-unavailable": "the Kubernetes version of a new Shoot is not available yet",
        UNPARSABLE = "shoot/kubernetes-version-unparsable": "the Kubernetes version cannot be parsed",
    },
    check: Judge(check),
}

static KINDS: Kinds = Kinds { unknown: &UNKNOWN, expired: &EXPIRED, unavailable: &UNAVAILABLE };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let version = new.spec.kubernetes.version.as_str();
    if version.is_empty() || new.profile_name().is_none() {
        return;
    }
    let path = FieldPath::new("spec.kubernetes.version");
    if let Err(why) = Version::parse(version) {
        let message = format!("Kubernetes version `{version}` cannot be read: {why}");
        findings
            .invalid(&UNPARSABLE, path.clone(), message)
            .value(version)
            .help("use a version of the form `1.2.3`");
    }
    let before = shoot.old.map(|old| old.spec.kubernetes.version.as_str());
    if before == Some(version) {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let allowed = match shoot.old {
        None => Allowed::Active,
        Some(_) => Allowed::Listed,
    };
    let spec = offer.spec();
    let allowed = (allowed, context.now);
    offered_kubernetes::check(version, spec, allowed, (&KINDS, path), findings);
}
