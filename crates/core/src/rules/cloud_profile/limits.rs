// SPDX-License-Identifier: Apache-2.0
use serde_json::json;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::profiles::{NOT_POSITIVE, check_positive};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("limits.md"),
    id: "cloudprofile/limits",
    summary: "rejects a node limit that is not positive or was lowered",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        NOT_POSITIVE,
        LOWERED = "cloudprofile/limit-lowered": "the node limit was lowered",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let Some(new) = profile.new.spec.limits else {
        return;
    };
    check_positive(new, findings);
    let old = profile.old.and_then(|old| old.spec.limits?.max_nodes_total);
    if let (Some(new), Some(old)) = (new.max_nodes_total, old)
        && new < old
    {
        let message = format!("the limit of `{old}` nodes cannot be lowered to `{new}`");
        let path = FieldPath::new("spec.limits.maxNodesTotal");
        findings
            .invalid(&LOWERED, path, message)
            .value(json!(new))
            .help("keep the limit, raise it, or remove it");
    }
}
