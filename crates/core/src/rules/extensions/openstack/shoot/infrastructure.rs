// SPDX-License-Identifier: Apache-2.0
//! The configuration of the infrastructure. Source: `pkg/apis/openstack/validation/infrastructure.go`.

use super::judged::{CIDRS, INFRASTRUCTURE, Judged, in_infrastructure};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::openstack::syntax::{CHECKS_SYNTAX, NAME, check_uuid};
use crate::rules::extensions::{Cidr, check_disjoint};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::openstack::infrastructure::{
    IPv6Config, InfrastructureConfig, Networks, SubnetPool,
};

/// The possible prefix lengths of a subnet.
const PREFIX_LENGTHS: core::ops::RangeInclusive<i64> = 1..=32;

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let config = &judged.new.infrastructure;
    let checks_syntax = judged.version >= CHECKS_SYNTAX;
    check_names(config, checks_syntax, findings);
    check_networks(judged, findings);
    check_ids(&config.networks, checks_syntax, findings);
    if let Some(ipv6) = &config.networks.ipv6 {
        check_ipv6(ipv6, findings);
    }
}

fn check_names(config: &InfrastructureConfig, checks_syntax: bool, findings: &mut Findings) {
    let name = &config.floating_pool_name;
    if checks_syntax || name.is_empty() {
        let place = in_infrastructure("floatingPoolName");
        NAME.check(name, &place, &INFRASTRUCTURE, findings);
    }
    let Some(subnet) = &config.floating_pool_subnet_name else {
        return;
    };
    let place = in_infrastructure("floatingPoolSubnetName");
    let router = config.networks.router.as_ref();
    if !checks_syntax {
        if router.is_some_and(|it| !it.id.is_empty()) {
            let message = "the floating subnet is for a new router, but there is an existing one";
            place
                .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
                .help("remove `floatingPoolSubnetName` or `networks.router`");
        }
        return;
    }
    NAME.check(subnet, &place, &INFRASTRUCTURE, findings);
    if router.is_some() {
        let message = "the floating subnet is for a new router, but there is an existing one";
        let place = ReportedPath {
            own: in_infrastructure("router").own,
            real: in_infrastructure("networks.router").real,
        };
        place
            .report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
            .help("remove `floatingPoolSubnetName` or `networks.router`");
    }
}

/// Checks the CIDR of the nodes, or the subnet pool from which it is taken.
fn check_networks(judged: &Judged<'_>, findings: &mut Findings) {
    let networks = &judged.new.infrastructure.networks;
    let networking = judged.shoot.networking();
    let written = [
        (&networks.worker, in_infrastructure("networks.worker")),
        (&networks.workers, in_infrastructure("networks.workers")),
    ];
    let cidrs: Vec<Cidr<'_>> = written
        .into_iter()
        .filter(|(text, _)| !text.is_empty())
        .map(|(text, place)| Cidr::new(text, place))
        .collect();
    for cidr in &cidrs {
        cidr.check_parsed(&CIDRS, findings);
        cidr.check_canonical(&CIDRS, findings);
    }
    if let Some(nodes) = &networking.nodes {
        let place = ReportedPath {
            own: FieldPath::new("networking.nodes"),
            real: FieldPath::new("spec.networking.nodes"),
        };
        Cidr::new(nodes, place).check_contains(cidrs.last(), &CIDRS, findings);
    }
    match (&networks.subnet_pool, cidrs.is_empty()) {
        (None, true) => {
            let message = "the subnet of the nodes has no CIDR";
            in_infrastructure("networks.workers")
                .report((&CIDRS, ErrorType::Required), message, findings)
                .help("set it, for example to `10.250.0.0/19`, or set `subnetPool`");
        }
        (None, false) => {}
        (Some(pool), has_no_cidr) => {
            if !has_no_cidr {
                let message = "the subnet of the nodes has a CIDR and a subnet pool";
                in_infrastructure("networks.subnetPool")
                    .report((&CIDRS, ErrorType::Invalid), message, findings)
                    .help("remove `subnetPool` or `workers`");
            }
            check_pool(pool, findings);
        }
    }
}

fn check_pool(pool: &SubnetPool, findings: &mut Findings) {
    if pool.id.is_empty() {
        let message = "the subnet pool has no `id`";
        in_infrastructure("networks.subnetPool.id")
            .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
            .help("set it to the ID of a subnet pool in OpenStack");
    }
    let length = pool.prefix_length;
    if !PREFIX_LENGTHS.contains(&length) {
        let message = format!("`{length}` is not a prefix length");
        in_infrastructure("networks.subnetPool.prefixLength")
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .value(length)
            .help("use a number from 1 to 32, such as 24");
    }
}

fn check_ids(networks: &Networks, checks_syntax: bool, findings: &mut Findings) {
    if let Some(id) = &networks.id {
        check_uuid(id, &in_infrastructure("networks.id"), &INFRASTRUCTURE, findings);
    }
    let Some(router) = &networks.router else {
        return;
    };
    let place = in_infrastructure("networks.router.id");
    if router.id.is_empty() {
        let message = "the router has no `id`";
        place
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .help("set it to the UUID of a router, or remove `router` for a new one");
    } else if checks_syntax {
        check_uuid(&router.id, &place, &INFRASTRUCTURE, findings);
    }
}

fn check_ipv6(ipv6: &IPv6Config, findings: &mut Findings) {
    let fields = [
        ("nodeCIDR", &ipv6.node_cidr),
        ("podCIDR", &ipv6.pod_cidr),
        ("serviceCIDR", &ipv6.service_cidr),
    ];
    let place = in_infrastructure("networks.ipv6");
    if fields.iter().all(|(_, text)| text.is_empty()) {
        if ipv6.subnet_pool_id.is_none() {
            let message = "`networks.ipv6` has neither a subnet pool nor CIDRs";
            place
                .report((&CIDRS, ErrorType::Required), message, findings)
                .help("set `subnetPoolID`, or `nodeCIDR`, `podCIDR` and `serviceCIDR`");
        }
        return;
    }
    let mut cidrs = Vec::new();
    for (field, text) in fields {
        let at = place.child(field);
        if text.is_empty() {
            let message = format!("`{field}` is missing, but other IPv6 CIDRs are set");
            at.report((&CIDRS, ErrorType::Required), message, findings)
                .help("set it, for example to `2001:db8:1::/64`");
            continue;
        }
        let cidr = Cidr::new(text, at.clone());
        cidr.check_parsed(&CIDRS, findings);
        cidr.check_canonical(&CIDRS, findings);
        if cidr.network().is_some_and(|it| !it.is_ipv6()) {
            let message = format!("`{}` is not an IPv6 CIDR", short(text));
            at.report((&CIDRS, ErrorType::Invalid), message, findings)
                .value(text.as_str())
                .help("write it like `2001:db8:1::/64`");
        }
        cidrs.push(cidr);
    }
    check_disjoint(&cidrs, &CIDRS, findings);
}
