use serde_json::json;

use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::profiles::Users;
use garden_gate_model::api::{Limits, NamespacedCloudProfile, ProfileKey};

rule! {
    page: include_str!("limit_below_shoot_minimum.md"),
    id: "namespacedcloudprofile/limit-below-shoot-minimum",
    summary: "rejects a node limit below the minimum number of nodes of a Shoot",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Update]],
    reads: [Shoot],
    findings: {
        BELOW = "namespacedcloudprofile/limit-below-shoot-minimum": "the new node limit is below the minimum number of nodes of a Shoot",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Update<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let Update { new, old } = profile;
    if new.metadata.deletion_timestamp.is_some() || new.spec.limits == old.spec.limits {
        return;
    }
    let limit = new.spec.limits.and_then(|limits: Limits| limits.max_nodes_total);
    let Some(limit) = limit else { return };
    let path = FieldPath::new("spec.limits.maxNodesTotal");
    let Some(shoots) =
        findings.known(context.shoots(), &path, "whether Shoots are larger than the limit")
    else {
        return;
    };
    let key = ProfileKey::namespaced(&context.request.namespace, &new.metadata.name);
    let mut users = Users::default();
    for larger in shoots.of_profile(&key).into_iter().flat_map(|it| it.with_minimum_above(limit)) {
        users.add(larger, larger.len());
    }
    if users.count() > 0 {
        let message = format!(
            "a limit of `{limit}` nodes is below what the worker pools of {} have at least",
            users.describe("Shoot")
        );
        findings
            .forbid(&BELOW, path, message)
            .value(json!(limit))
            .help("raise the limit, or lower the minimum of the Shoots first");
    }
}
