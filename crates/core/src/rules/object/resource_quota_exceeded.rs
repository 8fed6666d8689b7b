// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, rule};
use garden_gate_model::api::ResourceQuota;
use garden_gate_text::go::Quantity;

rule! {
    page: include_str!("resource_quota_exceeded.md"),
    id: "object/resource-quota-exceeded",
    summary: "rejects objects above the ResourceQuotas of their namespace",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Create];
        NamespacedCloudProfile [Create];
        ShootState [Create];
        SecretBinding [Create];
        CredentialsBinding [Create];
        Quota [Create];
    ],
    reads: [ResourceQuota],
    findings: { EXCEEDED = "object/resource-quota-exceeded": "a ResourceQuota of the namespace is exhausted" },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(kind) = context.request.kind() else {
        return;
    };
    let path = FieldPath::new("metadata.namespace");
    let namespace = &context.request.namespace;
    let quotas = context.resource_quotas(namespace);
    let what = format_args!("the ResourceQuotas of namespace `{namespace}`");
    let Some(quotas) = findings.known(quotas, &path, what) else {
        return;
    };
    let resource = ResourceQuota::counted_as(kind);
    for quota in quotas.iter().filter(|it| it.has_no_scope()) {
        let Some(limit) = quota.limit(&resource) else {
            continue;
        };
        let name = &quota.metadata.name;
        let Some(used) = quota.status.used.get(&resource) else {
            let message = format!(
                "cannot tell how many objects ResourceQuota `{name}` counts: it has no `{resource}` in `status.used`"
            );
            findings.undetermined(&path, message);
            continue;
        };
        if !fits(used, limit) {
            let [used, limited] = [used, limit].map(Quantity::canonical);
            let message = format!(
                "exceeded quota: {name}, requested: {resource}=1, used: {resource}={used}, limited: {resource}={limited}"
            );
            findings
                .forbid(&EXCEEDED, path.clone(), message)
                .value(namespace.as_str())
                .help("delete an object of the kind, or ask an operator for a higher limit in `spec.hard` of the ResourceQuota");
        }
    }
}

/// Reports whether one more object is within the limit.
fn fits(used: &Quantity, limit: &Quantity) -> bool {
    used.nanos() + Quantity::ONE <= limit.nanos()
}
