// SPDX-License-Identifier: Apache-2.0
//! The configuration of a worker pool. Source: `pkg/apis/openstack/validation/worker.go`.

use std::collections::{BTreeMap, HashSet};

use super::judged::{Judged, WORKER};
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::extensions::openstack::syntax::{CHECKS_SYNTAX, NAME};
use crate::rules::extensions::provider_shoots::{CAPACITIES, check_node_template};
use crate::rules::shared::lists::{short, use_one_of};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Worker;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::worker::{
    MachineLabel, NodeTemplate, ServerGroup, WorkerConfig,
};
use garden_gate_text::json::Fields;

/// The first version that accepts node templates without all resources, and checks `virtualCapacity`.
const CHECKS_VIRTUAL_CAPACITY: ExtensionVersion = ExtensionVersion::new(1, 53);
/// The policy that keeps machines on one host.
const AFFINITY: &str = "affinity";

pub(super) fn check(
    judged: &Judged<'_>,
    config: &WorkerConfig,
    (pool, labels): (&Worker, Option<&Fields<'_>>),
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if let Some(group) = &config.server_group {
        check_server_group(judged, group, pool, &place.descendant("serverGroup.policy"), findings);
    }
    if let Some(template) = &config.node_template {
        check_template(judged, template, &place.child("nodeTemplate"), findings);
    }
    let checks_syntax = judged.version >= CHECKS_SYNTAX;
    let place_of_labels = place.child("machineLabels");
    let of_machine = (config.machine_labels.as_slice(), checks_syntax);
    check_labels(of_machine, labels, &place_of_labels, findings);
    let at = place.child("additionalSecurityGroups");
    check_security_groups(&config.additional_security_groups, &at, findings);
}

fn check_server_group(
    judged: &Judged<'_>,
    group: &ServerGroup,
    pool: &Worker,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let policy = &group.policy;
    if policy.is_empty() {
        place
            .report((&WORKER, ErrorType::Invalid), "the server group has no policy", findings)
            .help("set it, for example to `soft-anti-affinity`, or remove `serverGroup`");
        return;
    }
    let Some(profile) = judged.offered else {
        let message = "it is unknown whether the profile offers the policy: the garden does not contain its `providerConfig`";
        findings.undetermined(&place.real, message);
        return;
    };
    let policies = &profile.server_group_policies;
    if !policies.contains(policy) {
        let message =
            format!("the profile does not offer the policy `{}` of server groups", short(policy));
        place
            .report((&WORKER, ErrorType::Invalid), message, findings)
            .value(policy.as_str())
            .help(use_one_of(policies));
        return;
    }
    if policy == AFFINITY && pool.zones.len() > 1 {
        let message = format!("a pool in several zones cannot have the policy `{AFFINITY}`");
        place
            .report((&WORKER, ErrorType::Forbidden), message, findings)
            .help("keep one zone, or use another policy");
    }
}

fn check_template(
    judged: &Judged<'_>,
    template: &NodeTemplate,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let is_older = judged.version < CHECKS_VIRTUAL_CAPACITY;
    let known = |name: &&str| template.capacity.contains_key(*name);
    for name in CAPACITIES.iter().filter(|it| is_older && !known(it)) {
        let message = format!("the node template has no capacity of `{name}`");
        place
            .child("capacity")
            .report((&WORKER, ErrorType::Required), message, findings)
            .help(format!("set `{name}`"));
    }
    let none = BTreeMap::new();
    let virtual_capacity = if is_older { &none } else { &template.virtual_capacity };
    check_node_template(&template.capacity, virtual_capacity, (place, &WORKER), findings);
}

fn check_labels(
    (labels, checks_syntax): (&[MachineLabel], bool),
    of_pool: Option<&Fields<'_>>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let mut names = HashSet::new();
    for (index, label) in labels.iter().enumerate() {
        let at = place.index(index);
        if checks_syntax {
            NAME.check(&label.name, &at.child("name"), &WORKER, findings);
            NAME.check(&label.value, &at.child("value"), &WORKER, findings);
        }
        let name = label.name.as_str();
        let (error, message, help) = if names.contains(name) {
            let message = format!("machine label `{}` is a duplicate", short(name));
            (ErrorType::Duplicate, message, "remove one of the two".into())
        } else if of_pool.is_some_and(|it| it.get(name).is_some()) {
            let message = format!("`{}` is already a label of the pool", short(name));
            (
                ErrorType::Invalid,
                message,
                Help::remove("remove it, or remove the label of the pool").at(".."),
            )
        } else {
            names.insert(name);
            continue;
        };
        at.child("name").report((&WORKER, error), message, findings).value(name).help(help);
    }
}

fn check_security_groups(groups: &[String], place: &ReportedPath, findings: &mut Findings) {
    let mut seen = HashSet::new();
    for (index, group) in groups.iter().enumerate() {
        let at = place.index(index);
        if group.is_empty() {
            at.report((&WORKER, ErrorType::Required), "a security group has no name", findings)
                .help("set it to the name of a security group, or remove the entry");
        } else if !seen.insert(group.as_str()) {
            let message = format!("security group `{}` is a duplicate", short(group));
            at.report((&WORKER, ErrorType::Invalid), message, findings)
                .value(group.as_str())
                .help("remove one of the two");
        }
    }
}
