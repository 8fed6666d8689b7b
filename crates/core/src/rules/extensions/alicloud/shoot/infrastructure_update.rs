// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of the infrastructure. Source: `pkg/apis/alicloud/validation/infrastructure.go`.

use super::infrastructure::check_nat_gateway;
use super::judged::{IMMUTABLE, in_infrastructure};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::alicloud::infrastructure::{
    InfrastructureConfig, VPC, Zone,
};

pub(super) fn check([new, old]: [&InfrastructureConfig; 2], findings: &mut Findings) {
    if new == old {
        return;
    }
    check_vpc([&new.networks.vpc, &old.networks.vpc], findings);
    check_zones([&new.networks.zones, &old.networks.zones], findings);
    let is_dual = |it: &InfrastructureConfig| it.dual_stack.as_ref().is_some_and(|it| it.enabled);
    if is_dual(old) && !is_dual(new) {
        let message = "dual-stack networking cannot be disabled";
        in_infrastructure("dualStack")
            .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
            .help(Help::set("set `dualStack.enabled: true`", true).at("enabled"));
    }
}

fn check_vpc([new, old]: [&VPC; 2], findings: &mut Findings) {
    let place = in_infrastructure("networks.vpc");
    let parts = |it: &VPC| (it.id.clone(), it.cidr.clone(), it.managed_nat_gateway);
    if parts(new) != parts(old) {
        place
            .report((&IMMUTABLE, ErrorType::Invalid), "the VPC is immutable", findings)
            .help("restore the previous value");
    }
    if new.custom_route_table != old.custom_route_table {
        let message = "`useCustomRouteTable` can only be set in a new Shoot";
        place
            .child("useCustomRouteTable")
            .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
            .help("restore the previous value");
    }
}

fn check_zones([new, old]: [&[Zone]; 2], findings: &mut Findings) {
    let place = in_infrastructure("networks.zones");
    if new.len() < old.len() {
        let removed = old.len() - new.len();
        let message = format!("zones cannot be removed, but there are {removed} fewer");
        place
            .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
            .help("add the removed zones again");
        return;
    }
    for (index, (new, old)) in new.iter().zip(old).enumerate() {
        check_zone([new, old], &place.index(index), findings);
    }
    for (index, zone) in new.iter().enumerate() {
        check_nat_gateway(zone, &place.index(index), findings);
    }
}

fn check_zone([new, old]: [&Zone; 2], place: &ReportedPath, findings: &mut Findings) {
    // A CIDR can move from the deprecated field.
    let is_moved = old.workers.is_empty() && new.worker.is_empty() && new.workers == old.worker;
    let keeps_cidrs = is_moved || (&new.worker, &new.workers) == (&old.worker, &old.workers);
    if new.name != old.name || !keeps_cidrs {
        let message = format!("name and CIDR of zone `{}` are immutable", short(&old.name));
        place
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .help("restore the previous values, and append new zones");
    }
    if old.ipv6_cidr_block.is_some() && new.ipv6_cidr_block.is_none() {
        let message = "the IPv6 CIDR block of a zone cannot be removed";
        place
            .child("ipv6CidrBlock")
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .help("restore the previous value, or use another one");
    }
}
