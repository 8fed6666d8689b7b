// SPDX-License-Identifier: Apache-2.0
//! The virtual network. Source: `validateVnetConfig` in `pkg/apis/azure/validation/infrastructure.go`.

use super::judged::{CHECKS_SYNTAX, CIDRS, INFRASTRUCTURE, Judged, in_infrastructure, report};
use super::resource_id::ResourceId;
use super::syntax::{NAME, RESOURCE_GROUP, VNET};
use crate::admission::{ErrorType, FindingKind, Findings, Help};
use crate::rules::extensions::{Cidr, ShootCidrs};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_text::go::is_uuid;

/// Checks the network in relation to the CIDRs of the Shoot and of subnets.
pub(super) fn check(
    judged: &Judged<'_>,
    (shoot, workers, zones): (&ShootCidrs<'_>, Option<&Cidr<'_>>, &[Cidr<'_>]),
    findings: &mut Findings,
) {
    let vnet = &judged.infrastructure.networks.vnet;
    let place = in_infrastructure("networks.vnet");
    if vnet.name.is_some() != vnet.resource_group.is_some() {
        let message = "an existing virtual network needs both `name` and `resourceGroup`";
        let help = "set both, or remove both";
        report(&place, ErrorType::Invalid, message, help, findings);
        return;
    }
    if let Some(plan) = &vnet.ddos_protection_plan_id
        && judged.version >= CHECKS_SYNTAX
    {
        let at = place.child("ddosProtectionPlanID");
        let Some(id) = parse_id(plan, "a DDoS protection plan", &at, &INFRASTRUCTURE, findings)
        else {
            return;
        };
        check_id(&id, plan, &at, &INFRASTRUCTURE, findings);
        NAME.check(id.name, &at, &INFRASTRUCTURE, findings);
    }
    if let (Some(name), Some(group)) = (&vnet.name, &vnet.resource_group) {
        check_existing(judged, [name, group], &place, findings);
        return;
    }
    let Some(cidr) = &vnet.cidr else {
        let Some(workers) = workers else {
            let message = "without `workers`, the virtual network needs a CIDR";
            let help = "set it, for example to `10.250.0.0/16`, or name an existing network";
            report(&place.child("cidr"), ErrorType::Forbidden, message, help, findings);
            return;
        };
        workers.check_contains(&shoot.nodes, &CIDRS, findings);
        for it in [&shoot.pods, &shoot.services] {
            workers.check_disjoint_from(it, &CIDRS, findings);
        }
        return;
    };
    let vnet = Cidr::new(cidr, place.child("cidr"));
    vnet.check_parsed(&CIDRS, findings);
    vnet.check_canonical(&CIDRS, findings);
    vnet.check_contains(&shoot.nodes, &CIDRS, findings);
    for it in [&shoot.pods, &shoot.services] {
        vnet.check_disjoint_from(it, &CIDRS, findings);
    }
    vnet.check_contains(workers, &CIDRS, findings);
    vnet.check_contains(zones, &CIDRS, findings);
}

/// Checks an existing network, by its name and resource group.
fn check_existing(
    judged: &Judged<'_>,
    [name, group]: [&str; 2],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let config = judged.infrastructure;
    let vnet = &config.networks.vnet;
    for (field, value) in [("name", name), ("resourceGroup", group)] {
        if value.is_empty() {
            let message = format!("an existing virtual network has no `{field}`");
            let help = "set it, or remove `name` and `resourceGroup`";
            report(&place.child(field), ErrorType::Required, message, help, findings);
        }
    }
    let group_place = place.child("resourceGroup");
    if judged.version >= CHECKS_SYNTAX {
        if !group.is_empty() {
            RESOURCE_GROUP.check(group, &group_place, &INFRASTRUCTURE, findings);
        }
        VNET.check(name, &place.child("name"), &INFRASTRUCTURE, findings);
    }
    if vnet.cidr.is_some() {
        let message = "an existing virtual network cannot get a CIDR";
        let help = "remove `cidr`, or `name` and `resourceGroup`";
        report(&place.child("cidr"), ErrorType::Invalid, message, help, findings);
    }
    if config.resource_group.as_ref().is_some_and(|it| it.name == group) {
        let message = "an existing virtual network cannot be in the resource group of the cluster";
        let help = "use another network, or remove `resourceGroup` of the cluster";
        report(&group_place, ErrorType::Invalid, message, help, findings);
    }
    if vnet.ddos_protection_plan_id.is_some() {
        let message = "an existing virtual network cannot get a DDoS protection plan";
        let at = place.child("ddosProtectionPlanID");
        report(&at, ErrorType::Forbidden, message, Help::remove("remove it"), findings);
    }
}

/// Parses the resource ID of a `resource`; reports one that is malformed.
pub(super) fn parse_id<'i>(
    id: &'i str,
    resource: &str,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) -> Option<ResourceId<'i>> {
    let parsed = ResourceId::parse(id);
    if parsed.is_none() {
        let message = format!("`{}` is not a valid resource ID of {resource}", short(id));
        place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(id)
            .help("write it like `/subscriptions/<id>/resourceGroups/<name>/providers/<namespace>/<type>/<name>`");
    }
    parsed
}

/// Checks the subscription and the resource group of a resource ID.
pub(super) fn check_id(
    parsed: &ResourceId<'_>,
    id: &str,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let subscription = parsed.subscription;
    if !subscription.is_empty() && !is_uuid(subscription) {
        let message = format!("the subscription `{}` is not a UUID", short(subscription));
        place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(id)
            .help("use the ID of the subscription, not its name");
    }
    if !parsed.resource_group.is_empty() {
        let place =
            ReportedPath { own: place.own.child("resourceGroupName"), real: place.real.clone() };
        RESOURCE_GROUP.check(parsed.resource_group, &place, kind, findings);
    }
}
