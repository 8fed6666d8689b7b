// SPDX-License-Identifier: Apache-2.0
use super::input::Input;
use crate::admission::rule;
use crate::rules::shared::lists::first;
use crate::workload::{CheckReport, PodSet};

rule! {
    page: include_str!("local_storage.md"),
    id: "workload/local-storage",
    summary: "warns about data on the disk of a node, which is lost with the node",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Delete]; Deployment [Update]; StatefulSet [Update]],
    findings: {
        POD = "workload/local-storage": "pods keep data on the disk of their node",
        VOLUME = "workload/local-volume": "a PersistentVolume is a directory of a node",
    },
    check: External,
}

/// The annotation of pods that may be deleted with their local data.
const SAFE: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";
/// The annotation with the names of such volumes, separated by commas.
const SAFE_VOLUMES: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes";
/// Maximum number of volumes in a message.
const NAMED: usize = 3;

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    for set in input.drained() {
        let volumes = volumes(set);
        if volumes.is_empty() {
            report.pass();
            continue;
        }
        let volumes = first(volumes, NAMED);
        let message = format!("keeps data on the disk of its node, in volumes {volumes}");
        report.warn(
            &POD,
            &set.object,
            message,
            format!("keep data in a PersistentVolumeClaim; if it may be lost, list the volumes in the annotation `{SAFE_VOLUMES}` of the pods"),
        );
    }
    for (name, volume) in &input.workload.volumes {
        let spec = &volume.spec;
        let Some(directory) = spec.local.as_ref().or(spec.host_path.as_ref()) else {
            report.pass();
            continue;
        };
        let claim = spec.claim_ref.as_ref().map_or_else(String::new, |claim| {
            format!(" of PersistentVolumeClaim {}/{}", claim.namespace, claim.name)
        });
        let message = format!(
            "is the directory `{}` of one node; the pods{claim} stay pending when the node is replaced",
            directory.path
        );
        let fix = "move the data to a volume that can be attached to another node";
        report.error(&VOLUME, name, message, fix);
    }
}

/// Returns the names of volumes with data on the disk of the node, which is not marked as expendable.
///
/// Mirrors HasNonSafeLocalStorage of the cluster autoscaler: memory does not count.
fn volumes<'a>(set: &'a PodSet<'_>) -> Vec<&'a str> {
    let annotations = &set.metadata.annotations;
    if annotations.get(SAFE).is_some_and(|it| it == "true") {
        return Vec::new();
    }
    let safe = annotations.get(SAFE_VOLUMES).map_or("", String::as_str);
    let is_safe = |name: &str| safe.split(',').any(|it| it.trim() == name);
    let volumes = set.spec.volumes.iter().filter(|volume| {
        let is_on_disk = volume.empty_dir.as_ref().is_some_and(|it| it.medium != "Memory");
        (is_on_disk || volume.host_path.is_some()) && !is_safe(&volume.name)
    });
    volumes.map(|it| it.name.as_str()).collect()
}
