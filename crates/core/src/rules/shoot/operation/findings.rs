// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, FindingKind, Findings, Reported, finding_kinds};

finding_kinds! {
    pub(super) UNSUPPORTED = "shoot/operation-unsupported": "the operation is not supported",
    pub(super) NOT_PARALLEL = "shoot/operation-not-parallel": "the operation cannot be combined with others",
    pub(super) SELF_HOSTED_ROLLOUT = "shoot/operation-self-hosted-rollout": "the rollout of machines that Gardener does not manage is not supported" since 148,
    pub(super) IN_BOTH = "shoot/operation-in-both-annotations": "the same operation is in both annotations",
    pub(super) ETCD_SPLIT = "shoot/operation-etcd-split-rotation": "the two-step rotation of the etcd encryption key is forbidden from Kubernetes 1.34",
    pub(super) INCOMPATIBLE = "shoot/operation-incompatible": "two operations of one annotation conflict",
    pub(super) HIBERNATED = "shoot/operation-while-hibernated": "the operation needs a running control plane",
    pub(super) ENCRYPTION_ROLLOUT = "shoot/operation-encryption-rollout": "the operation is not possible until resources are re-encrypted",
    pub(super) CONFLICT = "shoot/operation-conflicts-with-maintenance": "operations of the two annotations conflict",
    pub(super) CONTEXT = "shoot/operation-context": "the Shoot's status does not allow the operation",
    pub(super) POOLS = "shoot/operation-pools": "the pools of a rollout are missing, duplicate or unknown",
}

/// Reports an operation that is not permitted.
pub(super) fn forbid<'f>(
    kind: &'static FindingKind,
    key: &str,
    operation: &str,
    message: impl Into<String>,
    findings: &'f mut Findings,
) -> Reported<'f> {
    findings.forbid(kind, annotation(key), message).value(operation)
}

pub(super) fn annotation(key: &str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}
