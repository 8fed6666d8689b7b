// SPDX-License-Identifier: Apache-2.0
//! The configuration of a worker pool. Source: `pkg/apis/aws/validation/worker.go`.

use std::collections::{HashMap, HashSet};

use super::judged::{CHECKS_SYNTAX, IO1, Judged, WORKER};
use super::syntax::{INSTANCE_PROFILE, INSTANCE_PROFILE_ARN, SNAPSHOT};
use super::worker_devices;
use super::worker_fields::report;
use crate::admission::{ErrorType, Findings};
use crate::rules::extensions::provider_shoots::check_node_template;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Worker;
use garden_gate_model::api::extensions::aws::worker::{IAMInstanceProfile, WorkerConfig};

/// The performance of a volume.
#[derive(Clone, Copy, Default)]
struct Performance {
    iops: Option<i32>,
    throughput: Option<i32>,
}

pub(super) fn check(
    judged: &Judged<'_>,
    (pool, config): (&Worker, &WorkerConfig),
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let kind = pool.volume.as_ref().and_then(|it| it.volume_type.as_deref());
    if let Some(kind) = kind {
        let performance = config
            .volume
            .as_ref()
            .map(|it| Performance { iops: it.iops, throughput: it.throughput })
            .unwrap_or_default();
        check_performance(performance, kind, &place.child("volume"), findings);
    }
    check_data_volumes(judged, pool, config, place, findings);
    if let Some(profile) = &config.iam_instance_profile {
        check_profile(judged, profile, &place.child("iamInstanceProfile"), findings);
    }
    if let Some(template) = &config.node_template {
        check_node_template(
            &template.capacity,
            &template.virtual_capacity,
            (&place.child("nodeTemplate"), &WORKER),
            findings,
        );
    }
    worker_devices::check(config, place, findings);
}

fn check_performance(
    performance: Performance,
    volume_type: &str,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    match performance.iops {
        Some(iops) if iops <= 0 => {
            let message = format!("`iops` is {iops}, which is not positive");
            report(&place.child("iops"), ErrorType::Forbidden, message, "use 1 or more", findings);
        }
        None if volume_type == IO1 => {
            let message = format!("volumes of type `{IO1}` need `iops`");
            let help = "set it, for example to 3000";
            report(&place.child("iops"), ErrorType::Required, message, help, findings);
        }
        _ => {}
    }
    if let Some(throughput) = performance.throughput.filter(|it| *it <= 0) {
        let message = format!("`throughput` is {throughput}, which is not positive");
        report(&place.child("throughput"), ErrorType::Invalid, message, "use 1 or more", findings);
    }
}

fn check_data_volumes(
    judged: &Judged<'_>,
    pool: &Worker,
    config: &WorkerConfig,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let at = place.child("dataVolumes");
    let mut configured = HashMap::new();
    for (index, volume) in config.data_volumes.iter().enumerate() {
        configured.entry(volume.name.as_str()).or_insert((index, volume));
    }
    let mut known = HashSet::new();
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        let Some(kind) = &volume.volume_type else {
            continue;
        };
        let name = volume.name.as_deref().unwrap_or_default();
        known.insert(name);
        let found = configured.get(name);
        let performance =
            found.map(|(_, it)| Performance { iops: it.iops, throughput: it.throughput });
        // The extension reports the index in the pool.
        let mut place = ReportedPath { own: at.own.index(index), real: at.real.clone() };
        if let Some((index, _)) = found {
            place.real = place.real.index(*index);
        }
        check_performance(performance.unwrap_or_default(), kind, &place, findings);
    }
    let mut used = HashSet::new();
    for (index, volume) in config.data_volumes.iter().enumerate() {
        let name = volume.name.as_str();
        let place_of_name = || at.index(index).child("name");
        if !known.contains(name) {
            let message = format!("the pool has no data volume `{}` with a type", short(name));
            let help = "add it to `dataVolumes` of the pool, or correct the name";
            report(&place_of_name(), ErrorType::Invalid, message, help, findings);
        }
        if !used.insert(name) {
            let message = format!("data volume `{}` is a duplicate", short(name));
            let help = "remove one of the two";
            report(&place_of_name(), ErrorType::Duplicate, message, help, findings);
        }
        if let Some(id) = &volume.snapshot_id
            && judged.version >= CHECKS_SYNTAX
        {
            SNAPSHOT.check(id, &at.index(index).child("snapshotID"), &WORKER, findings);
        }
    }
}

fn check_profile(
    judged: &Judged<'_>,
    profile: &IAMInstanceProfile,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if profile.name.is_some() == profile.arn.is_some() {
        let message = "the instance profile needs either `name` or `arn`".to_owned();
        report(place, ErrorType::Invalid, message, "set one of them", findings);
    }
    if judged.version < CHECKS_SYNTAX {
        return;
    }
    if let Some(name) = &profile.name {
        INSTANCE_PROFILE.check(name, &place.child("name"), &WORKER, findings);
    }
    if let Some(arn) = &profile.arn {
        INSTANCE_PROFILE_ARN.check(arn, &place.child("arn"), &WORKER, findings);
    }
}
