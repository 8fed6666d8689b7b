// SPDX-License-Identifier: Apache-2.0
//! The configuration of the infrastructure. Source: `pkg/apis/azure/validation/infrastructure.go`.

use std::collections::HashSet;

use super::judged::{
    CHECKS_SYNTAX, CIDRS, DROPS_ALPHA, INFRASTRUCTURE, Judged, in_infrastructure, report,
};
use super::nat_gateway;
use super::syntax::{NAME, RESOURCE_GROUP, SERVICE_ENDPOINT};
use super::vnet;
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::extensions::{Cidr, ShootCidrs, check_disjoint};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::azure::infrastructure::{IdentityConfig, Zone};

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let config = judged.infrastructure;
    if let Some(group) = &config.resource_group {
        let place = in_infrastructure("resourceGroup");
        if judged.version >= CHECKS_SYNTAX {
            RESOURCE_GROUP.check(&group.name, &place.child("name"), &INFRASTRUCTURE, findings);
        }
        let message = "a Shoot cannot use an existing resource group";
        report(&place, ErrorType::Invalid, message, Help::remove("remove it"), findings);
    }
    if config.zoned && judged.version < DROPS_ALPHA && judged.has_scale_sets() {
        let message = "a cluster with zones cannot have the annotation of scale sets";
        let help = "remove the annotation, or set `zoned: false`";
        let place = in_infrastructure("zoned");
        report(&place, ErrorType::Invalid, message, help, findings);
    }
    check_networks(judged, findings);
    if let Some(identity) = &config.identity {
        check_identity(judged, identity, findings);
    }
}

fn check_identity(judged: &Judged<'_>, identity: &IdentityConfig, findings: &mut Findings) {
    let place = in_infrastructure("identity");
    if judged.version < CHECKS_SYNTAX {
        if identity.name.is_empty() || identity.resource_group.is_empty() {
            let message = "the identity has no `name`, or no `resourceGroup`";
            let help = "set both, or remove `identity`";
            report(&place, ErrorType::Invalid, message, help, findings);
        }
        return;
    }
    let group = place.child("resourceGroup");
    RESOURCE_GROUP.check(&identity.resource_group, &group, &INFRASTRUCTURE, findings);
    NAME.check(&identity.name, &place.child("name"), &INFRASTRUCTURE, findings);
}

fn check_networks(judged: &Judged<'_>, findings: &mut Findings) {
    let networks = &judged.infrastructure.networks;
    let place = in_infrastructure("networks.workers");
    let problem = match (&networks.workers, networks.zones.is_empty()) {
        (None, true) => Some(("there is neither `workers` nor `zones`", "set one of them")),
        (Some(_), false) => Some(("there are both `workers` and `zones`", "remove one of them")),
        _ => None,
    };
    if let Some((message, help)) = problem {
        report(&place, ErrorType::Forbidden, message, help, findings);
        return;
    }
    let networking = judged.shoot.networking();
    let shoot = ShootCidrs::of(&networking);
    let zones_place = in_infrastructure("networks.zones");
    let zones: Vec<Cidr<'_>> = networks
        .zones
        .iter()
        .enumerate()
        .map(|(index, zone)| Cidr::new(&zone.cidr, zones_place.index(index).child("cidr")))
        .collect();
    let workers = networks.workers.as_ref().map(|it| Cidr::new(it, place.clone()));
    vnet::check(judged, (&shoot, workers.as_ref(), &zones), findings);
    match &workers {
        Some(workers) => check_subnet(judged, workers, &shoot, findings),
        None => {
            check_layout(judged, findings);
            check_zones(judged, &zones_place, findings);
            check_zone_cidrs(&zones, &shoot, findings);
        }
    }
}

/// Checks a single subnet.
fn check_subnet(
    judged: &Judged<'_>,
    workers: &Cidr<'_>,
    shoot: &ShootCidrs<'_>,
    findings: &mut Findings,
) {
    let networks = &judged.infrastructure.networks;
    workers.check_parsed(&CIDRS, findings);
    workers.check_canonical(&CIDRS, findings);
    if let Some(nodes) = &shoot.nodes {
        nodes.check_contains([workers], &CIDRS, findings);
    }
    if let Some(gateway) = &networks.nat_gateway {
        nat_gateway::check(judged, gateway, findings);
    }
    let place = in_infrastructure("networks.serviceEndpoints");
    check_endpoints(judged, &networks.service_endpoints, &place, findings);
}

fn check_endpoints(
    judged: &Judged<'_>,
    endpoints: &[String],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if judged.version < CHECKS_SYNTAX {
        return;
    }
    for (index, endpoint) in endpoints.iter().enumerate() {
        if !SERVICE_ENDPOINT.accepts(endpoint) {
            findings.report_lazily(&INFRASTRUCTURE, |findings| {
                SERVICE_ENDPOINT.check(endpoint, &place.index(index), &INFRASTRUCTURE, findings);
            });
        }
    }
}

/// Checks that a network with a subnet in each zone has nothing of a single subnet.
fn check_layout(judged: &Judged<'_>, findings: &mut Findings) {
    let networks = &judged.infrastructure.networks;
    if !judged.infrastructure.zoned {
        let message = "a cluster without zones cannot have subnets in zones";
        let help = "set `zoned: true`, or use `workers` instead of `zones`";
        let place = in_infrastructure("networks.zones");
        report(&place, ErrorType::Forbidden, message, help, findings);
    }
    for (field, is_set) in [
        ("natGateway", networks.nat_gateway.is_some()),
        ("serviceEndpoints", !networks.service_endpoints.is_empty()),
    ] {
        if is_set {
            let message = format!("`networks.{field}` needs a single subnet");
            let mut place = in_infrastructure("networks.workers");
            place.real = in_infrastructure("networks").child(field).real;
            let help = format!("set `{field}` in each of `networks.zones` instead");
            report(&place, ErrorType::Forbidden, message, help, findings);
        }
    }
}

fn check_zones(judged: &Judged<'_>, place: &ReportedPath, findings: &mut Findings) {
    let mut used = HashSet::new();
    for (index, zone) in judged.infrastructure.networks.zones.iter().enumerate() {
        let zone_place = place.index(index);
        if !used.insert(zone.name) {
            findings.report_lazily(&INFRASTRUCTURE, |findings| {
                let message = format!("zone {} is a duplicate", zone.name);
                let help = "remove one of the two";
                report(&zone_place, ErrorType::Invalid, message, help, findings);
            });
        }
        check_zone(judged, zone, place, &zone_place, findings);
    }
}

fn check_zone(
    judged: &Judged<'_>,
    zone: &Zone,
    list: &ReportedPath,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    // The extension does not report the index of the zone.
    let endpoints = ReportedPath {
        own: list.own.child("serviceEndpoints"),
        real: place.real.child("serviceEndpoints"),
    };
    check_endpoints(judged, &zone.service_endpoints, &endpoints, findings);
    if let Some(gateway) = &zone.nat_gateway {
        nat_gateway::check_zoned(judged, gateway, &place.child("natGateway"), findings);
    }
}

fn check_zone_cidrs(zones: &[Cidr<'_>], shoot: &ShootCidrs<'_>, findings: &mut Findings) {
    for zone in zones {
        zone.check_canonical(&CIDRS, findings);
        zone.check_parsed(&CIDRS, findings);
    }
    if let Some(nodes) = &shoot.nodes {
        nodes.check_contains(zones, &CIDRS, findings);
    }
    check_disjoint(zones, &CIDRS, findings);
    for it in [&shoot.pods, &shoot.services].into_iter().flatten() {
        it.check_disjoint_from(zones, &CIDRS, findings);
    }
}
