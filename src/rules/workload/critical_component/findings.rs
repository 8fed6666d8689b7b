//! What the rule can report.

use crate::engine::FindingKind;

macro_rules! finding_kinds {
    ($($name:ident: $id:literal, $summary:literal;)+) => {
        $(pub(super) static $name: FindingKind = FindingKind { id: $id, summary: $summary };)+
    };
}

finding_kinds! {
    LABEL_VALUE: "workload/critical-label-value", "the label has a value other than `true`";
    TEMPLATE_LABEL: "workload/critical-template-label-missing", "the pods of a labelled DaemonSet lack the label";
    METADATA_LABEL: "workload/critical-metadata-label-missing", "the DaemonSet of labelled pods lacks the label";
    NAMESPACE: "workload/critical-wrong-namespace", "labelled workload is not in kube-system";
    NO_TOLERATION: "workload/critical-no-toleration", "labelled pods do not tolerate the taint of new nodes";
    LABEL_MISSING: "workload/critical-label-missing", "pods tolerate the taint of new nodes by name, but lack the label";
    CSI_WITHOUT_LABEL: "workload/csi-annotation-without-label", "a CSI driver is named on pods without the label";
    CSI_EMPTY: "workload/csi-annotation-empty", "a CSI driver is named without a name";
    CSI_MISSING: "workload/csi-annotation-missing", "a CSI node plugin does not name its driver";
}
