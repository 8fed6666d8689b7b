// SPDX-License-Identifier: Apache-2.0
//! A zone of the infrastructure. Source: `pkg/apis/aws/validation/infrastructure.go`.

use std::collections::HashSet;

use super::judged::{CHECKS_SYNTAX, INFRASTRUCTURE, Judged};
use super::syntax::{ELASTIC_IP, SUBNET, ZONE};
use crate::admission::{ErrorType, Findings};
use crate::rules::extensions::Cidr;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::aws::infrastructure::Zone;

/// The identifiers of earlier zones.
#[derive(Default)]
pub(super) struct UsedIds<'z> {
    workers: HashSet<&'z str>,
    others: HashSet<&'z str>,
    elastic_ips: HashSet<&'z str>,
}

/// Returns the CIDRs of a zone, and whether they are those of the nodes.
pub(super) fn cidrs<'z>(
    zone: &'z Zone,
    place: &ReportedPath,
    has_ipv4: bool,
) -> impl Iterator<Item = (bool, Cidr<'z>)> {
    let workers = zone.workers.as_ref().filter(|_| has_ipv4);
    let fields = [
        ("public", zone.public.as_ref()),
        ("internal", zone.internal.as_ref()),
        ("workers", workers),
    ];
    let cidrs = fields.map(|(field, text)| {
        let place = text.map(|text| Cidr::new(text, place.child(field)));
        place.map(|it| (field == "workers", it))
    });
    cidrs.into_iter().flatten()
}

pub(super) fn check<'z>(
    judged: &Judged<'z>,
    (zone, place): (&'z Zone, &ReportedPath),
    seen: &mut UsedIds<'z>,
    findings: &mut Findings,
) {
    if judged.version >= CHECKS_SYNTAX {
        ZONE.check(&zone.name, &place.child("name"), &INFRASTRUCTURE, findings);
    }
    match (&zone.workers, &zone.workers_subnet_id) {
        (None, None) => {
            let message = format!("zone `{}` has no subnet of nodes", short(&zone.name));
            place
                .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
                .help("set `workers` or `workersSubnetID`");
        }
        (Some(_), Some(_)) => {
            let message = "a zone cannot have both `workers` and `workersSubnetID`";
            place
                .child("workers")
                .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
                .help("remove one of them");
        }
        _ => {}
    }
    match &zone.workers_subnet_id {
        Some(id) => {
            let place_of_id = place.child("workersSubnetID");
            check_subnet(judged, id, &place_of_id, &mut seen.workers, findings);
            check_existing(judged, zone, place, seen, findings);
        }
        None => {
            for (field, id) in [
                ("publicSubnetID", &zone.public_subnet_id),
                ("internalSubnetID", &zone.internal_subnet_id),
            ] {
                forbid(id.is_some(), field, place, "needs `workersSubnetID`", findings);
            }
        }
    }
    check_elastic_ip(judged, zone, place, seen, findings);
}

/// Checks the fields of a zone with existing subnets.
fn check_existing<'z>(
    judged: &Judged<'z>,
    zone: &'z Zone,
    place: &ReportedPath,
    seen: &mut UsedIds<'z>,
    findings: &mut Findings,
) {
    for (field, cidr) in [("internal", &zone.internal), ("public", &zone.public)] {
        let why = "cannot be used with `workersSubnetID`";
        forbid(cidr.is_some(), field, place, why, findings);
    }
    for (field, id) in
        [("publicSubnetID", &zone.public_subnet_id), ("internalSubnetID", &zone.internal_subnet_id)]
    {
        if let Some(id) = id {
            check_subnet(judged, id, &place.child(field), &mut seen.others, findings);
        }
    }
    if let Some(id) = &zone.internal_subnet_id
        && zone.public_subnet_id.as_ref() == Some(id)
    {
        let message = "the internal subnet is the public one";
        place
            .child("internalSubnetID")
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .value(id.as_str())
            .help("use another subnet");
    }
}

/// Reports a field that is set, although it cannot be.
fn forbid(
    is_set: bool,
    field: &'static str,
    place: &ReportedPath,
    why: &str,
    findings: &mut Findings,
) {
    if is_set {
        findings.report_lazily(&INFRASTRUCTURE, |findings| {
            place
                .child(field)
                .report(
                    (&INFRASTRUCTURE, ErrorType::Forbidden),
                    format!("`{field}` {why}"),
                    findings,
                )
                .help(format!("remove `{field}`"));
        });
    }
}

fn check_subnet<'z>(
    judged: &Judged<'_>,
    id: &'z str,
    place: &ReportedPath,
    used: &mut HashSet<&'z str>,
    findings: &mut Findings,
) {
    SUBNET.check(id, place, &INFRASTRUCTURE, findings);
    if judged.infrastructure.networks.vpc.id.is_none() {
        findings.report_lazily(&INFRASTRUCTURE, |findings| {
            let message = "an existing subnet needs an existing VPC";
            place
                .report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
                .help("set `networks.vpc.id`");
        });
    }
    if !used.insert(id) {
        report_duplicate(id, place, findings);
    }
}

fn check_elastic_ip<'z>(
    judged: &Judged<'z>,
    zone: &'z Zone,
    place: &ReportedPath,
    seen: &mut UsedIds<'z>,
    findings: &mut Findings,
) {
    let Some(id) = &zone.elastic_ip_allocation_id else {
        return;
    };
    let at = place.child("elasticIPAllocationID");
    if zone.workers.is_none() || zone.public.is_none() {
        let message = "an Elastic IP needs new subnets of nodes and of load balancers";
        at.report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
            .help("set `workers` and `public`, or remove `elasticIPAllocationID`");
    }
    if !seen.elastic_ips.insert(id) {
        report_duplicate(id, &at, findings);
    }
    if judged.version >= CHECKS_SYNTAX {
        ELASTIC_IP.check(id, &at, &INFRASTRUCTURE, findings);
    }
}

fn report_duplicate(id: &str, place: &ReportedPath, findings: &mut Findings) {
    findings.report_lazily(&INFRASTRUCTURE, |findings| {
        let message = format!("`{}` is a duplicate", short(id));
        place
            .report((&INFRASTRUCTURE, ErrorType::Duplicate), message, findings)
            .value(id)
            .help("use another one");
    });
}
