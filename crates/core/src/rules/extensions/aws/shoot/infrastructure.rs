// SPDX-License-Identifier: Apache-2.0
//! The configuration of the infrastructure. Source: `pkg/apis/aws/validation/infrastructure.go`.

use super::judged::{CHECKS_SYNTAX, CIDRS, INFRASTRUCTURE, Judged, in_infrastructure};
use super::syntax::{SECURITY_GROUP, VPC};
use super::tags;
use super::zone::{self, UsedIds};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::extensions::{Cidr, ShootCidrs, check_disjoint};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::aws::infrastructure::{
    ElasticFileSystemConfig, IPAMPool, Networks, Zone,
};
use garden_gate_text::go::dns_subdomain_error;

/// The prefix length of IPv6 CIDRs of VPCs.
const IPV6_PREFIX: u8 = 56;

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    let networks = &judged.infrastructure.networks;
    let shoot = ShootCidrs::of(&networking);
    check_gateways(networks, findings);
    check_security_group(judged, findings);
    check_zones_together(judged, findings);
    let has_ipv4 = networking.has("IPv4");
    let has_ipv6 = networking.has("IPv6");
    let mut seen = UsedIds::default();
    let mut cidrs = Vec::new();
    for (index, zone) in networks.zones.iter().enumerate() {
        let place = in_infrastructure("networks.zones").index(index);
        zone::check(judged, (zone, &place), &mut seen, findings);
        cidrs.extend(zone::cidrs(zone, &place, has_ipv4));
    }
    for (_, cidr) in &cidrs {
        cidr.check_canonical(&CIDRS, findings);
        cidr.check_parsed(&CIDRS, findings);
    }
    if let Some(nodes) = &shoot.nodes {
        let workers = cidrs.iter().filter(|(is_workers, _)| *is_workers);
        nodes.check_contains(workers.map(|(_, cidr)| cidr), &CIDRS, findings);
    }
    let cidrs: Vec<Cidr<'_>> = cidrs.into_iter().map(|(_, cidr)| cidr).collect();
    check_vpc(judged, &cidrs, &shoot, has_ipv6, findings);
    check_disjoint(&cidrs, &CIDRS, findings);
    for it in [&shoot.pods, &shoot.services].into_iter().flatten() {
        it.check_disjoint_from(&cidrs, &CIDRS, findings);
    }
    if let Some(pool) = &networks.vpc.ipv6_ipam_pool {
        check_pool(pool, has_ipv6, findings);
    }
    tags::check(judged, findings);
}

/// Reports whether a zone has an existing subnet of nodes.
fn has_subnet(zone: &Zone) -> bool {
    zone.workers_subnet_id.is_some()
}

fn check_gateways(networks: &Networks, findings: &mut Findings) {
    let endpoints = &networks.vpc.gateway_endpoints;
    let place = || in_infrastructure("networks.vpc.gatewayEndpoints");
    for (index, endpoint) in endpoints.iter().enumerate() {
        if let Some(why) = dns_subdomain_error(endpoint) {
            findings.report_lazily(&INFRASTRUCTURE, |findings| {
                let message = format!("`{}` is not a DNS subdomain: {why}", short(endpoint));
                place()
                    .index(index)
                    .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
                    .value(endpoint.as_str())
                    .help("write it like `s3`");
            });
        }
    }
    if !endpoints.is_empty() && networks.zones.iter().any(has_subnet) {
        let message = "gateway endpoints cannot be created for existing subnets";
        place()
            .report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
            .help(Help::remove("remove `gatewayEndpoints`"));
    }
}

fn check_security_group(judged: &Judged<'_>, findings: &mut Findings) {
    let networks = &judged.infrastructure.networks;
    let Some(group) = &networks.nodes_security_group_id else {
        return;
    };
    let place = in_infrastructure("networks.nodesSecurityGroupID");
    SECURITY_GROUP.check(group, &place, &INFRASTRUCTURE, findings);
    if networks.vpc.id.is_none() {
        let message = "an existing security group needs an existing VPC";
        place
            .report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
            .help("set `networks.vpc.id`, or remove `nodesSecurityGroupID`");
    }
}

/// Checks the zones in relation to each other.
fn check_zones_together(judged: &Judged<'_>, findings: &mut Findings) {
    let config = judged.infrastructure;
    let zones = &config.networks.zones;
    let place = in_infrastructure("networks.zones");
    let has_subnets = zones.iter().any(has_subnet);
    let has_cidrs = zones.iter().any(|it| it.workers.is_some());
    let (error, message, help) = match (zones.is_empty(), has_subnets, has_cidrs) {
        (true, _, _) => (
            Some(ErrorType::Required),
            "at least one zone is required",
            "add a zone with its subnets",
        ),
        (false, true, true) => (
            Some(ErrorType::Forbidden),
            "some zones have existing subnets and others have CIDRs of new ones",
            "set `workersSubnetID` in all zones, or `workers` in all zones",
        ),
        (false, false, false) => (
            Some(ErrorType::Required),
            "the zones have no subnets of nodes",
            "set `workers` or `workersSubnetID` in each zone",
        ),
        _ => (None, "", ""),
    };
    if let Some(error) = error {
        let kind = (&INFRASTRUCTURE, error);
        place.report(kind, message, findings).help(help);
    }
    if !has_subnets {
        return;
    }
    let lacks_id = |it: &ElasticFileSystemConfig| it.enabled && it.id.is_none();
    if config.elastic_file_system.as_ref().is_some_and(lacks_id) {
        let message = "with existing subnets, EFS needs an existing file system";
        in_infrastructure("elasticFileSystem.id")
            .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
            .help("set it, for example to `fs-0123456789abcdef0`");
    }
    for (field, id) in [
        ("publicSubnetID", (|it| &it.public_subnet_id) as fn(&Zone) -> &Option<String>),
        ("internalSubnetID", |it| &it.internal_subnet_id),
    ] {
        if zones.len() < 2 || !zones.iter().any(|it| id(it).is_some()) {
            continue;
        }
        let lacking = zones.iter().enumerate();
        for (index, zone) in lacking.filter(|(_, it)| has_subnet(it) && id(it).is_none()) {
            findings.report_lazily(&INFRASTRUCTURE, |findings| {
                let message = format!(
                    "zone `{}` has no `{field}`, but another zone has one",
                    short(&zone.name)
                );
                place
                    .index(index)
                    .child(field)
                    .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
                    .help(format!("set `{field}` in all zones, or in none"));
            });
        }
    }
}

fn check_vpc(
    judged: &Judged<'_>,
    cidrs: &[Cidr<'_>],
    shoot: &ShootCidrs<'_>,
    has_ipv6: bool,
    findings: &mut Findings,
) {
    let vpc = &judged.infrastructure.networks.vpc;
    let place = in_infrastructure("networks.vpc");
    let mut report = |message: &str, help: &str| {
        place.report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings).help(help);
    };
    match (&vpc.id, &vpc.cidr) {
        (None, None) => report("the VPC has neither `id` nor `cidr`", "set one of them"),
        (Some(_), Some(_)) => report("the VPC has both `id` and `cidr`", "remove one of them"),
        (Some(id), None) => {
            if judged.version >= CHECKS_SYNTAX {
                VPC.check(id, &place.child("id"), &INFRASTRUCTURE, findings);
            }
        }
        (None, Some(_)) if has_ipv6 => {}
        (None, Some(cidr)) => {
            let vpc = Cidr::new(cidr, place.child("cidr"));
            vpc.check_canonical(&CIDRS, findings);
            vpc.check_parsed(&CIDRS, findings);
            vpc.check_contains(&shoot.nodes, &CIDRS, findings);
            vpc.check_contains(cidrs, &CIDRS, findings);
            for it in [&shoot.pods, &shoot.services] {
                vpc.check_disjoint_from(it, &CIDRS, findings);
            }
        }
    }
}

/// Checks the pool of IPv6 addresses.
fn check_pool(pool: &IPAMPool, has_ipv6: bool, findings: &mut Findings) {
    let Some(block) = &pool.cidr_block else {
        return;
    };
    let place = in_infrastructure("networks.vpc.ipv6IpamPool.cidrBlock");
    let cidr = Cidr::new(block, place.clone());
    cidr.check_parsed(&CIDRS, findings);
    cidr.check_canonical(&CIDRS, findings);
    let mut report = |message: String, help: &str| {
        place
            .report((&CIDRS, ErrorType::Invalid), message, findings)
            .value(block.as_str())
            .help(help);
    };
    if !has_ipv6 {
        let message = "`cidrBlock` needs the IP family IPv6".to_owned();
        report(message, "add `IPv6` to `spec.networking.ipFamilies`");
    }
    if pool.id.is_none() {
        let message = "`cidrBlock` needs the `id` of the pool".to_owned();
        report(message, "set `networks.vpc.ipv6IpamPool.id`");
    }
    if let Some(network) = cidr.network()
        && network.prefix() != IPV6_PREFIX
    {
        let message = format!("`cidrBlock` has a prefix length of {}", network.prefix());
        report(message, "use a CIDR of 56 bits, such as `2001:db8::/56`");
    }
}
