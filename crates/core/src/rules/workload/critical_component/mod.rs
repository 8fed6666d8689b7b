// SPDX-License-Identifier: Apache-2.0
//! The rule about critical components, for which new nodes wait.

use super::{add, check_label_value, is_labelled};
use crate::admission::{Context, FieldPath, Findings, Kind, Write, rule};
use garden_gate_model::api::{ObjectMeta, PodToleration, Workload};

rule! {
    page: include_str!("page.md"),
    id: "workload/critical-component",
    summary: "warns about incompletely marked critical components",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        DaemonSet [Create, Update];
        Deployment [Create, Update];
        Pod [Create, Update]
    ],
    findings: {
        LABEL_VALUE = "workload/critical-label-value": "the label has a value other than `true`",
        TEMPLATE_LABEL = "workload/critical-template-label-missing": "the pods of a labelled DaemonSet lack the label",
        METADATA_LABEL = "workload/critical-metadata-label-missing": "the DaemonSet of labelled pods lacks the label",
        NAMESPACE = "workload/critical-wrong-namespace": "labelled workload is not in kube-system",
        NO_TOLERATION = "workload/critical-no-toleration": "labelled pods do not tolerate the taint of new nodes",
        LABEL_MISSING = "workload/critical-label-missing": "pods tolerate the taint of new nodes by name, but lack the label",
        CSI_WITHOUT_LABEL = "workload/csi-annotation-without-label": "a CSI driver is named on pods without the label",
        CSI_EMPTY = "workload/csi-annotation-empty": "the annotation of a CSI driver has no driver name",
        CSI_MISSING = "workload/csi-annotation-missing": "a CSI node plugin does not name its driver",
    },
    check: Judge(check),
}

const LABEL: &str = "node.gardener.cloud/critical-component";
const TAINT: &str = "node.gardener.cloud/critical-components-not-ready";
const CSI: &str = "node.gardener.cloud/wait-for-csi-node-";
/// The sidecar with which every CSI node plugin registers on its node.
const REGISTRAR: &str = "node-driver-registrar";
const KUBE_SYSTEM: &str = "kube-system";

fn check(context: &Context<'_>, change: Write<'_, Workload>, findings: &mut Findings) {
    let new = change.new;
    let kind = context.request.kind();
    let namespace = match new.metadata.namespace.as_str() {
        "" => &context.request.namespace,
        namespace => namespace,
    };
    let marked = Marked::of(new, kind == Some(Kind::DaemonSet));
    marked.check_values(findings);
    if marked.is_critical() {
        marked.check_labels(findings);
        marked.check_toleration(findings);
        if namespace != KUBE_SYSTEM {
            let message = format!(
                "label `{LABEL}` counts in namespace kube-system only, not in `{namespace}`"
            );
            let field = FieldPath::new("metadata.namespace");
            add(
                &NAMESPACE,
                field,
                message,
                "move it to kube-system, or remove the label",
                findings,
            );
        }
    } else {
        marked.check_unlabelled(findings);
    }
    marked.check_csi(findings);
}

/// The marks of a workload, with their paths.
struct Marked<'a> {
    outer: &'a ObjectMeta,
    /// Labels and annotations of the pods, and their path.
    pods: &'a ObjectMeta,
    pods_path: FieldPath,
    spec_path: FieldPath,
    tolerations: &'a [PodToleration],
    is_csi_plugin: bool,
    is_daemon_set: bool,
}

impl<'a> Marked<'a> {
    fn of(workload: &'a Workload, is_daemon_set: bool) -> Self {
        let outer = &workload.metadata;
        let template = workload.spec.template.as_ref();
        let containers =
            template.map_or(&workload.spec.containers, |template| &template.spec.containers);
        let is_csi_plugin = containers.iter().any(|container| container.image.contains(REGISTRAR));
        let (pods, tolerations, path) = match template {
            Some(template) => {
                (&template.metadata, &template.spec.tolerations, FieldPath::new("spec.template"))
            }
            None => (outer, &workload.spec.tolerations, FieldPath::root()),
        };
        Self {
            outer,
            pods,
            pods_path: path.child("metadata"),
            spec_path: path.child("spec"),
            tolerations,
            is_csi_plugin,
            is_daemon_set,
        }
    }

    fn is_critical(&self) -> bool {
        is_labelled(self.outer, LABEL) || is_labelled(self.pods, LABEL)
    }

    fn check_values(&self, findings: &mut Findings) {
        let mut places = vec![(self.outer, FieldPath::new("metadata"))];
        if !std::ptr::eq(self.outer, self.pods) {
            places.push((self.pods, self.pods_path.clone()));
        }
        for (metadata, path) in places {
            let help = "write `\"true\"`";
            check_label_value(&LABEL_VALUE, LABEL, metadata, &path, help, findings);
        }
    }

    fn check_labels(&self, findings: &mut Findings) {
        if !is_labelled(self.pods, LABEL) {
            let message =
                format!("the pods lack label `{LABEL}=true`, so that no node waits for them");
            let field = self.pods_path.child("labels");
            add(
                &TEMPLATE_LABEL,
                field,
                message,
                "add it to the template of the pods as well",
                findings,
            );
        } else if self.is_daemon_set && !is_labelled(self.outer, LABEL) {
            let message = format!(
                "the DaemonSet lacks label `{LABEL}=true`, so that nodes do not wait for its pods to appear"
            );
            let field = FieldPath::new("metadata.labels");
            add(&METADATA_LABEL, field, message, "add it to the DaemonSet as well", findings);
        }
    }

    fn check_toleration(&self, findings: &mut Findings) {
        if !self.tolerations.iter().any(tolerates) {
            let message = format!(
                "the pods do not tolerate taint `{TAINT}`, so that they cannot start on a node that waits for them"
            );
            let help = format!(
                "add the toleration `{{key: {TAINT}, operator: Exists, effect: NoSchedule}}`"
            );
            add(&NO_TOLERATION, self.spec_path.child("tolerations"), message, &help, findings);
        }
    }

    /// Reports missing labels of pods that tolerate the taint by name, and so are meant to be critical.
    fn check_unlabelled(&self, findings: &mut Findings) {
        let by_name = self.tolerations.iter().position(|toleration| toleration.key == TAINT);
        if let Some(index) = by_name.filter(|_| !self.pods.labels.contains_key(LABEL)) {
            let message = format!(
                "the pods tolerate taint `{TAINT}` but lack label `{LABEL}=true`, so that no node waits for them"
            );
            let field = self.spec_path.child("tolerations").index(index);
            add(
                &LABEL_MISSING,
                field,
                message,
                "add the label, or remove the toleration",
                findings,
            );
        }
    }

    fn check_csi(&self, findings: &mut Findings) {
        let annotations = self.pods_path.child("annotations");
        let mut drivers =
            self.pods.annotations.iter().filter(|(key, _)| key.starts_with(CSI)).peekable();
        if drivers.peek().is_none() && self.is_csi_plugin && self.is_daemon_set {
            let message = format!(
                "the pods register a CSI driver, but no annotation `{CSI}…` names it, so that nodes do not wait for it"
            );
            let help = format!(
                "add `{CSI}NAME: <name of the driver>` to the pods, and label `{LABEL}: \"true\"`"
            );
            add(&CSI_MISSING, annotations.clone(), message, &help, findings);
        }
        for (key, driver) in drivers {
            if driver.is_empty() {
                let message =
                    format!("annotation `{key}` names no CSI driver; the node would wait for ever");
                let field = annotations.key(key);
                add(
                    &CSI_EMPTY,
                    field,
                    message,
                    "write the name of the driver, as in its CSINode entry",
                    findings,
                );
            }
            if !is_labelled(self.pods, LABEL) {
                let message =
                    format!("annotation `{key}` counts only on pods with label `{LABEL}=true`");
                let field = annotations.key(key);
                add(&CSI_WITHOUT_LABEL, field, message, "add the label to the pods", findings);
            }
        }
    }
}

/// Mirrors ToleratesTaint in `k8s.io/component-helpers` for the taint of new nodes, which has no value.
fn tolerates(toleration: &PodToleration) -> bool {
    let effect = matches!(toleration.effect.as_str(), "" | "NoSchedule");
    let key = matches!(toleration.key.as_str(), "" | TAINT);
    let value = match toleration.operator.as_str() {
        "Exists" => true,
        "" | "Equal" => toleration.value.is_empty(),
        _ => false,
    };
    effect && key && value
}
