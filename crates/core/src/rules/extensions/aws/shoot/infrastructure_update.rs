// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of the infrastructure. Source: `pkg/apis/aws/validation/infrastructure.go`.

use super::judged::{IMMUTABLE, in_infrastructure};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::aws::infrastructure::{InfrastructureConfig, Zone};

const KEEP: &str = "restore the previous value";

pub(super) fn check(
    new: &InfrastructureConfig,
    old: &InfrastructureConfig,
    findings: &mut Findings,
) {
    if new == old {
        return;
    }
    check_all(new, old, findings);
    let [new_zones, old_zones] = [&new.networks.zones, &old.networks.zones];
    if new_zones.len() < old_zones.len() {
        let removed = old_zones.len() - new_zones.len();
        let message = format!("zones cannot be removed, but there are {removed} fewer");
        in_infrastructure("networks.zones")
            .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
            .help("add the removed zones again");
        return;
    }
    for (index, (new, old)) in new_zones.iter().zip(old_zones).enumerate() {
        if new != old {
            let place = in_infrastructure("networks.zones").index(index);
            check_zone([new, old], &place, findings);
        }
    }
    let is_dual = |it: &InfrastructureConfig| it.dual_stack.as_ref().is_some_and(|it| it.enabled);
    if is_dual(old) && !is_dual(new) {
        let message = "dual-stack networking cannot be disabled";
        in_infrastructure("dualStack.enabled")
            .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
            .help(Help::set("set `dualStack.enabled: true`", true));
    }
}

fn check_all(new: &InfrastructureConfig, old: &InfrastructureConfig, findings: &mut Findings) {
    let [vpc, old_vpc] = [&new.networks.vpc, &old.networks.vpc];
    let group = |it: &InfrastructureConfig| it.networks.nodes_security_group_id.clone();
    for (field, is_changed) in [
        (
            "elasticFileSystem",
            old.elastic_file_system.is_some() && new.elastic_file_system != old.elastic_file_system,
        ),
        ("enableDedicatedTenancyForVPC", new.dedicated_tenancy != old.dedicated_tenancy),
        ("networks.vpc.id", vpc.id != old_vpc.id),
        ("networks.vpc.cidr", vpc.cidr != old_vpc.cidr),
        (
            "networks.vpc.ipv6IpamPool",
            old_vpc.ipv6_ipam_pool.is_some() && vpc.ipv6_ipam_pool != old_vpc.ipv6_ipam_pool,
        ),
        ("networks.nodesSecurityGroupID", group(new) != group(old)),
    ] {
        if is_changed {
            let message = format!("`{field}` is immutable");
            in_infrastructure(field)
                .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
                .help(KEEP);
        }
    }
}

fn check_zone([new, old]: [&Zone; 2], place: &ReportedPath, findings: &mut Findings) {
    let name = old.name.as_str();
    let mut report = |field: &'static str, new: Option<&str>, old: Option<&str>| {
        if new != old {
            findings.report_lazily(&IMMUTABLE, |findings| {
                let message = format!("`{field}` of zone `{}` is immutable", short(name));
                place
                    .child(field)
                    .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
                    .help(KEEP);
            });
        }
    };
    report("name", Some(&new.name), Some(&old.name));
    for (field, new, old) in [
        ("public", &new.public, &old.public),
        ("internal", &new.internal, &old.internal),
        ("workers", &new.workers, &old.workers),
        ("publicSubnetID", &new.public_subnet_id, &old.public_subnet_id),
        ("internalSubnetID", &new.internal_subnet_id, &old.internal_subnet_id),
    ] {
        // They can be added later.
        if old.is_some() {
            report(field, new.as_deref(), old.as_deref());
        }
    }
    report("workersSubnetID", new.workers_subnet_id.as_deref(), old.workers_subnet_id.as_deref());
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;
    use crate::config::Config;
    use crate::rules;

    #[test]
    fn removed_zones_are_counted() {
        let zones = json!([{"name": "a"}, {"name": "b"}, {"name": "c"}]);
        let [new, old] = [json!([{"name": "a"}]), zones].map(|zones| {
            let config = json!({"networks": {"zones": zones}});
            from_value::<InfrastructureConfig>(config).unwrap()
        });
        let rule = rules::find("aws/shoot").unwrap();
        let found = rule.find(&Config::default(), |findings| check(&new, &old, findings));
        let messages: Vec<&str> = found.iter().map(|it| &*it.message).collect();
        let expected = "zones cannot be removed, but there are 2 fewer";
        assert_eq!(messages, [expected]);
    }
}
