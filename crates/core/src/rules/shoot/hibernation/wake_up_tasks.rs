// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use crate::rules::shoot::operation::{NOW, split};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("wake_up_tasks.md"),
    id: "shoot/wake-up-tasks",
    summary: "adds tasks that deploy infrastructure and DNS records on wake-up from hibernation",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Update]],
    acts_on_unchanged: ["'gardener.cloud/operation' in object.metadata.?annotations.orValue({})"],
    effect: "tasks are added to the annotation; no request is rejected",
    check: Mutate(mutate),
}

const TASKS: &str = "shoot.gardener.cloud/tasks";
const INFRASTRUCTURE: &str = "deployInfrastructure";
const WAKING_UP: [&str; 4] = [
    INFRASTRUCTURE,
    "deployDNSRecordInternal",
    "deployDNSRecordExternal",
    "deployDNSRecordIngress",
];
/// Operations after which machines need new user data or keys.
const ROTATIONS: [&str; 3] = [
    "rotate-ssh-keypair",
    "rotate-credentials-start",
    "rotate-credentials-start-without-workers-rollout",
];

fn mutate(_: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, _: &mut Findings) {
    if old.is_some_and(Shoot::wants_hibernation) && !shoot.wants_hibernation() {
        add(shoot, &WAKING_UP);
    }
    let operations = split(shoot.annotation(NOW));
    if operations.iter().any(|operation| ROTATIONS.contains(&operation.as_str())) {
        add(shoot, &[INFRASTRUCTURE]);
    }
}

fn add(shoot: &mut Shoot, tasks: &[&str]) {
    let annotation = shoot.metadata.annotations.entry(TASKS.to_owned()).or_default();
    for task in tasks {
        if annotation.is_empty() {
            (*task).clone_into(annotation);
        } else if !annotation.split(',').any(|there| there.trim() == *task) {
            annotation.push(',');
            annotation.push_str(task);
        }
    }
}
