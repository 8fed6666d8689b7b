// SPDX-License-Identifier: Apache-2.0
use super::{add, check_label_value, is_labelled};
use crate::admission::{Context, FieldPath, FindingKind, Findings, Write, rule};
use garden_gate_model::api::{Container, ObjectMeta, PodTemplate, Workload};

rule! {
    page: include_str!("no_cleanup.md"),
    id: "workload/no-cleanup",
    summary: "warns about an invalid `no-cleanup` mark, and CSI controllers without it",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        DaemonSet [Create, Update];
        Deployment [Create, Update];
        Pod [Create, Update];
        StatefulSet [Create, Update];
        ReplicaSet [Create, Update];
        ReplicationController [Create, Update];
        Job [Create, Update];
        CronJob [Create, Update];
        Service [Create, Update];
        Ingress [Create, Update];
        PersistentVolumeClaim [Create, Update];
        VolumeSnapshot [Create, Update];
        VolumeSnapshotContent [Create, Update];
        CustomResourceDefinition [Create, Update]
    ],
    findings: {
        VALUE = "workload/no-cleanup-value": "the label has a value other than `true`",
        ANNOTATION = "workload/no-cleanup-annotation": "the mark is an annotation instead of a label",
        CSI = "workload/csi-no-cleanup-missing": "a CSI controller lacks the mark",
    },
    check: Judge(check),
}

const MARK: &str = "shoot.gardener.cloud/no-cleanup";
/// The label of Gardener's own components, which are not cleaned up.
const ROLE: &str = "gardener.cloud/role";
const SYSTEM_COMPONENT: &str = "system-component";
/// The controllers of volumes and snapshots, which run next to a CSI driver.
const CSI_CONTROLLERS: [&str; 5] =
    ["csi-attacher", "csi-provisioner", "csi-resizer", "csi-snapshotter", "snapshot-controller"];

fn check(_: &Context<'_>, change: Write<'_, Workload>, findings: &mut Findings) {
    let new = change.new;
    check_marks(&new.metadata, &FieldPath::new("metadata"), findings);
    check_pods(new.spec.template.as_ref(), "spec.template", findings);
    if let Some(job) = &new.spec.job_template {
        let path = FieldPath::new("spec.jobTemplate.metadata");
        check_marks(&job.metadata, &path, findings);
        let pods = job.spec.template.as_ref();
        check_pods(pods, "spec.jobTemplate.spec.template", findings);
    }
    check_csi(new, findings);
}

fn check_pods(template: Option<&PodTemplate>, path: &'static str, findings: &mut Findings) {
    if let Some(template) = template {
        let path = FieldPath::new(path).child("metadata");
        check_marks(&template.metadata, &path, findings);
    }
}

/// Reports a CSI controller without any mark.
fn check_csi(workload: &Workload, findings: &mut Findings) {
    let metadata = &workload.metadata;
    let is_system = metadata.labels.get(ROLE).is_some_and(|it| it == SYSTEM_COMPONENT);
    let is_marked = metadata.labels.contains_key(MARK) || metadata.annotations.contains_key(MARK);
    if is_system || is_marked {
        return;
    }
    let spec = &workload.spec;
    let template = spec.template.as_ref();
    let containers = template.map_or(&spec.containers, |it| &it.spec.containers);
    let Some(controller) = containers.iter().find_map(csi_controller) else {
        return;
    };
    let message = format!(
        "label `{MARK}=true` is missing: Gardener deletes this CSI controller (`{controller}`) with the Shoot, before its volumes and snapshots are gone"
    );
    let field = FieldPath::new("metadata.labels");
    let help = "add the label, also to the template of the pods, and delete the controller yourself when its volumes and snapshots are gone";
    add(&CSI, field, message, help, findings);
}

/// Returns the CSI controller that a container runs, according to its name or that of its image.
fn csi_controller(container: &Container) -> Option<&'static str> {
    let image = container.image.rsplit('/').next().unwrap_or_default();
    let is_one = |it: &&str| image.contains(*it) || container.name.contains(*it);
    CSI_CONTROLLERS.into_iter().find(is_one)
}

fn check_marks(metadata: &ObjectMeta, path: &FieldPath, findings: &mut Findings) {
    check_mark((&VALUE, &ANNOTATION), metadata, path, findings);
}

/// Checks the label and the annotation of an object that Gardener deletes without the label.
pub(crate) fn check_mark(
    (value, annotation): (&'static FindingKind, &'static FindingKind),
    metadata: &ObjectMeta,
    path: &FieldPath,
    findings: &mut Findings,
) {
    let help = "write `\"true\"`, or remove it";
    check_label_value(value, MARK, metadata, path, help, findings);
    if metadata.annotations.contains_key(MARK) && !is_labelled(metadata, MARK) {
        let message = format!("`{MARK}` counts as a label only, not as an annotation");
        let field = path.child("annotations").key(MARK);
        add(annotation, field, message, "make it a label with the value `true`", findings);
    }
}
