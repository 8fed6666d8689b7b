// SPDX-License-Identifier: Apache-2.0
//! The configuration of the infrastructure. Source: `pkg/apis/alicloud/validation/infrastructure.go`.

use super::ipv6;
use super::judged::{CIDRS, INFRASTRUCTURE, Judged, in_infrastructure};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::extensions::{Cidr, ShootCidrs, check_disjoint};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::alicloud::infrastructure::{VPC, Zone};

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    let shoot = ShootCidrs::of(&networking);
    let networks = &judged.infrastructure.networks;
    let place = in_infrastructure("networks.zones");
    if networks.zones.is_empty() {
        place
            .report(
                (&INFRASTRUCTURE, ErrorType::Required),
                "at least one zone is required",
                findings,
            )
            .help("add a zone with its `workers`");
    }
    let mut cidrs = Vec::new();
    for (index, zone) in networks.zones.iter().enumerate() {
        let at = place.index(index);
        check_nat_gateway(zone, &at, findings);
        for (field, text) in [("worker", &zone.worker), ("workers", &zone.workers)] {
            if !text.is_empty() {
                cidrs.push(Cidr::new(text, at.child(field)));
            }
        }
    }
    for cidr in &cidrs {
        cidr.check_canonical(&CIDRS, findings);
        cidr.check_parsed(&CIDRS, findings);
    }
    if let Some(nodes) = &shoot.nodes {
        nodes.check_contains(&cidrs, &CIDRS, findings);
    }
    check_vpc(&networks.vpc, &cidrs, &shoot, findings);
    check_disjoint(&cidrs, &CIDRS, findings);
    for it in [&shoot.pods, &shoot.services].into_iter().flatten() {
        it.check_disjoint_from(&cidrs, &CIDRS, findings);
    }
    ipv6::check(judged, findings);
}

/// Checks the NAT gateway of a zone.
pub(super) fn check_nat_gateway(zone: &Zone, place: &ReportedPath, findings: &mut Findings) {
    let gateway = zone.nat_gateway.as_ref();
    if gateway.is_some_and(|it| it.eip_allocation_id.is_empty()) {
        let message =
            format!("the NAT gateway of zone `{}` has no elastic IP address", short(&zone.name));
        place
            .child("natGateway")
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .help("set `eipAllocationID`, or remove `natGateway`");
    }
}

fn check_vpc(vpc: &VPC, cidrs: &[Cidr<'_>], shoot: &ShootCidrs<'_>, findings: &mut Findings) {
    let place = in_infrastructure("networks.vpc");
    let mut report = |message: &str, help: &str| {
        place.report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings).help(help);
    };
    match (&vpc.id, &vpc.cidr) {
        (None, None) => report("the VPC has neither `id` nor `cidr`", "set one of them"),
        (Some(_), Some(_)) => report("the VPC has both `id` and `cidr`", "remove one of them"),
        (Some(_), None) => {}
        (None, Some(cidr)) => {
            let cidr = Cidr::new(cidr, place.child("cidr"));
            cidr.check_canonical(&CIDRS, findings);
            cidr.check_parsed(&CIDRS, findings);
            cidr.check_contains(&shoot.nodes, &CIDRS, findings);
            cidr.check_contains(cidrs, &CIDRS, findings);
            for it in [&shoot.pods, &shoot.services] {
                cidr.check_disjoint_from(it, &CIDRS, findings);
            }
        }
    }
    if vpc.id.is_some() && vpc.custom_route_table && vpc.managed_nat_gateway != Some(true) {
        let message = "a custom route table in an existing VPC needs a NAT gateway of Gardener";
        place
            .child("gardenerManagedNATGateway")
            .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
            .help(Help::set(
                "set `gardenerManagedNATGateway: true`, or remove `useCustomRouteTable`",
                true,
            ));
    }
}
