use serde_json::json;

use super::update;
use super::version_in_use::related_users;
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::profiles::Users;
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("limit_below_shoot_minimum.md"),
    id: "cloudprofile/limit-below-shoot-minimum",
    summary: "rejects a node limit below the minimum number of nodes of a Shoot",
    phase: Admission,
    level: Deny,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        BELOW = "cloudprofile/limit-below-shoot-minimum": "the new node limit is below the minimum number of nodes of a Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some((name, specs)) = update(profile) else {
        return;
    };
    let limit = specs.new.limits.and_then(|limits| limits.max_nodes_total);
    let Some(limit) = limit.filter(|_| specs.new.limits != specs.old.limits) else {
        return;
    };
    let path = FieldPath::new("spec.limits.maxNodesTotal");
    let Some(all) = findings.known(
        related_users(context, name),
        &path,
        "whether Shoots are larger than the limit",
    ) else {
        return;
    };
    let mut shoots = Users::default();
    for larger in all.iter().flat_map(|users| users.with_minimum_above(limit)) {
        shoots.add(larger, larger.len());
    }
    if shoots.count() > 0 {
        let message = format!(
            "a limit of `{limit}` nodes is below what the worker pools of {} have at least",
            shoots.describe("Shoot")
        );
        findings
            .forbid(&BELOW, path, message)
            .value(json!(limit))
            .help("raise the limit, or have the Shoots lower their minimum first");
    }
}
