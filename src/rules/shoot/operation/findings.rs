//! What the rule can report.

use crate::engine::FindingKind;

pub(super) static UNSUPPORTED: FindingKind = FindingKind {
    id: "shoot/operation-unsupported",
    summary: "there is no such operation",
};
pub(super) static NOT_PARALLEL: FindingKind = FindingKind {
    id: "shoot/operation-not-parallel",
    summary: "the operation stands alone, but others stand beside it",
};
pub(super) static SELF_HOSTED_ROLLOUT: FindingKind = FindingKind {
    id: "shoot/operation-self-hosted-rollout",
    summary: "Gardener cannot roll out machines that it does not manage",
};
pub(super) static IN_BOTH: FindingKind = FindingKind {
    id: "shoot/operation-in-both-annotations",
    summary: "the same operation stands in both annotations",
};
pub(super) static ETCD_SPLIT: FindingKind = FindingKind {
    id: "shoot/operation-etcd-split-rotation",
    summary: "the etcd encryption key is rotated in two steps, which ended with Kubernetes 1.34",
};
pub(super) static INCOMPATIBLE: FindingKind = FindingKind {
    id: "shoot/operation-incompatible",
    summary: "two operations of one annotation contradict each other",
};
pub(super) static HIBERNATED: FindingKind = FindingKind {
    id: "shoot/operation-while-hibernated",
    summary: "the operation needs a control plane that runs",
};
pub(super) static ENCRYPTION_ROLLOUT: FindingKind = FindingKind {
    id: "shoot/operation-encryption-rollout",
    summary: "the operation has to wait until resources have been encrypted anew",
};
pub(super) static CONFLICT: FindingKind = FindingKind {
    id: "shoot/operation-conflicts-with-maintenance",
    summary: "operations of the two annotations contradict each other",
};
pub(super) static CONTEXT: FindingKind = FindingKind {
    id: "shoot/operation-context",
    summary: "the Shoot's status does not allow the operation",
};
pub(super) static POOLS: FindingKind = FindingKind {
    id: "shoot/operation-pools",
    summary: "pools to be rolled out are missing, repeated or unknown",
};
