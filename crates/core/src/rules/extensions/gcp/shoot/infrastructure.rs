// SPDX-License-Identifier: Apache-2.0
//! The configuration of the infrastructure. Source: `pkg/apis/gcp/validation/infrastructure.go`.

use super::cloud_nat;
use super::judged::{CHECKS_SYNTAX, CIDRS, FAILURE, INFRASTRUCTURE, Judged, networks};
use super::syntax::RESOURCE;
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use crate::rules::extensions::{Cidr, ShootCidrs};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::gcp::infrastructure::{FlowLogs, NetworkConfig, VPC};

const INTERVALS: &[&str] = &[
    "INTERVAL_5_SEC",
    "INTERVAL_30_SEC",
    "INTERVAL_1_MIN",
    "INTERVAL_5_MIN",
    "INTERVAL_10_MIN",
    "INTERVAL_15_MIN",
];
const METADATA: &[&str] = &["CUSTOM_METADATA", "EXCLUDE_ALL_METADATA", "INCLUDE_ALL_METADATA"];
/// The intervals and metadata before [`CHECKS_SYNTAX`].
const OLD_INTERVALS: &[&str] =
    &["INTERVAL_5_SEC", "INTERVAL_30_SEC", "INTERVAL_1_MIN", "INTERVAL_5_MIN", "INTERVAL_15_MIN"];
const OLD_METADATA: &[&str] = &["INCLUDE_ALL_METADATA"];
const MTUS: [i32; 2] = [1300, 8896];

/// Returns the CIDR of the nodes' subnet: that of `workers`, or else of `worker`.
pub(super) fn workers(config: &NetworkConfig) -> Option<Cidr<'_>> {
    match (config.workers.as_str(), config.worker.as_str()) {
        ("", "") => None,
        ("", worker) => Some(Cidr::new(worker, networks().child("worker"))),
        (workers, _) => Some(Cidr::new(workers, networks().child("workers"))),
    }
}

/// Reports that the component panics; returns whether it does.
pub(super) fn check_panic(judged: &Judged<'_>, findings: &mut Findings) -> bool {
    let config = &judged.infrastructure.networks;
    let panics = judged.shoot.spec.networking.is_some()
        && config.internal.is_some()
        && workers(config).is_none();
    if panics {
        let message =
            "`admission-gcp` panics, because `networks` has an `internal` CIDR, but no `workers`";
        findings
            .report(&FAILURE, ErrorType::Panic, FieldPath::root(), message)
            .at(&networks().real)
            .help("set `networks.workers`, for example to `10.250.0.0/19`");
    }
    panics
}

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let config = &judged.infrastructure.networks;
    check_cidrs(judged, findings);
    if let Some(vpc) = &config.vpc {
        check_vpc(judged, vpc, &networks().child("vpc"), findings);
    }
    if let Some(logs) = &config.flow_logs {
        check_flow_logs(judged, logs, &networks().child("flowLogs"), findings);
    }
    if let Some(nat) = &config.cloud_nat {
        cloud_nat::check(judged, nat, &networks().child("cloudNAT"), findings);
    }
    let Some(mtu) = config.mtu else { return };
    let place = networks().child("mtu");
    if config.vpc.as_ref().is_some_and(|it| !it.name.is_empty()) {
        let message = "the MTU of an existing VPC network cannot be set";
        place
            .report((&INFRASTRUCTURE, ErrorType::Forbidden), message, findings)
            .help(Help::remove("remove `mtu`"));
    }
    let [least, most] = MTUS;
    if !(least..=most).contains(&mtu) {
        let message = format!("{mtu} is not between {least} and {most}");
        place
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .value(mtu)
            .help(format!("use a number between {least} and {most}"));
    }
}

fn check_cidrs(judged: &Judged<'_>, findings: &mut Findings) {
    let config = &judged.infrastructure.networks;
    let networking = judged.shoot.networking();
    let ShootCidrs { nodes, pods, services } = ShootCidrs::of(&networking);
    let workers = workers(config);
    if workers.is_none() {
        let message = "the infrastructure has no CIDR of the nodes' subnet";
        networks()
            .child("workers")
            .report((&INFRASTRUCTURE, ErrorType::Required), message, findings)
            .help("set it, for example to `10.250.0.0/19`");
    }
    for (name, text) in [("worker", &config.worker), ("workers", &config.workers)] {
        if !text.is_empty() {
            let cidr = Cidr::new(text, networks().child(name));
            cidr.check_parsed(&CIDRS, findings);
            cidr.check_canonical(&CIDRS, findings);
        }
    }
    if let Some(internal) = &config.internal {
        let internal = Cidr::new(internal, networks().child("internal"));
        internal.check_parsed(&CIDRS, findings);
        internal.check_canonical(&CIDRS, findings);
        for other in [&pods, &services, &nodes, &workers].into_iter().flatten() {
            other.check_disjoint_from([&internal], &CIDRS, findings);
        }
    }
    if let Some(nodes) = &nodes {
        nodes.check_contains(&workers, &CIDRS, findings);
    }
}

fn check_vpc(judged: &Judged<'_>, vpc: &VPC, place: &ReportedPath, findings: &mut Findings) {
    let invalid = (&INFRASTRUCTURE, ErrorType::Invalid);
    let router = place.child("cloudRouter");
    if vpc.name.is_empty() {
        place
            .child("name")
            .report(invalid, "the VPC network has no name", findings)
            .help("set it to the name of an existing one, or remove `vpc`");
        if vpc.cloud_router.is_some() {
            let message = "a Cloud Router needs the name of its VPC network";
            router.report(invalid, message, findings).help("set `vpc.name`");
        }
        return;
    }
    if judged.version >= CHECKS_SYNTAX {
        RESOURCE.check(&vpc.name, &place.child("name"), &INFRASTRUCTURE, findings);
    }
    match &vpc.cloud_router {
        None => {
            let message = "an existing VPC network needs an existing Cloud Router";
            router.report(invalid, message, findings).help("set `cloudRouter.name` to its name");
        }
        Some(it) if it.name.is_empty() => {
            router
                .child("name")
                .report(invalid, "the Cloud Router has no name", findings)
                .help("set it to the name of an existing one");
        }
        Some(it) if judged.version >= CHECKS_SYNTAX => {
            RESOURCE.check(&it.name, &router.child("name"), &INFRASTRUCTURE, findings);
        }
        Some(_) => {}
    }
}

fn check_flow_logs(
    judged: &Judged<'_>,
    logs: &FlowLogs,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if logs.aggregation_interval.is_none()
        && logs.flow_sampling.is_none()
        && logs.metadata.is_none()
    {
        place
            .report((&INFRASTRUCTURE, ErrorType::Required), "`flowLogs` sets nothing", findings)
            .help("set `aggregationInterval`, `flowSampling` or `metadata`, or remove `flowLogs`");
    }
    let is_old = judged.version < CHECKS_SYNTAX;
    let intervals = if is_old { OLD_INTERVALS } else { INTERVALS };
    let metadata = if is_old { OLD_METADATA } else { METADATA };
    for (name, value, allowed) in [
        ("aggregationInterval", &logs.aggregation_interval, intervals),
        ("metadata", &logs.metadata, metadata),
    ] {
        if let Some(value) = value.as_deref().filter(|it| !allowed.contains(it)) {
            let message = format!("`{}` is not supported", short(value));
            place
                .child(name)
                .report((&INFRASTRUCTURE, ErrorType::NotSupported), message, findings)
                .value(value)
                .help(one_of(value, allowed));
        }
    }
    if let Some(share) = logs.flow_sampling.filter(|it| !(0.0..=1.0).contains(it)) {
        let message = format!("{share} is not between 0 and 1");
        place
            .child("flowSampling")
            .report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings)
            .value(share)
            .help("use a number between 0.0 and 1.0");
    }
}
