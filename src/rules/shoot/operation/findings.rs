use crate::engine::{ErrorType, FieldPath, FindingKind, Offence, finding_kinds};

finding_kinds! {
    pub(super) UNSUPPORTED = "shoot/operation-unsupported": "there is no such operation",
    pub(super) NOT_PARALLEL = "shoot/operation-not-parallel": "the operation stands alone, but others stand beside it",
    pub(super) SELF_HOSTED_ROLLOUT = "shoot/operation-self-hosted-rollout": "Gardener cannot roll out machines that it does not manage",
    pub(super) IN_BOTH = "shoot/operation-in-both-annotations": "the same operation stands in both annotations",
    pub(super) ETCD_SPLIT = "shoot/operation-etcd-split-rotation": "the etcd encryption key is rotated in two steps, which ended with Kubernetes 1.34",
    pub(super) INCOMPATIBLE = "shoot/operation-incompatible": "two operations of one annotation contradict each other",
    pub(super) HIBERNATED = "shoot/operation-while-hibernated": "the operation needs a control plane that runs",
    pub(super) ENCRYPTION_ROLLOUT = "shoot/operation-encryption-rollout": "the operation has to wait until resources have been encrypted anew",
    pub(super) CONFLICT = "shoot/operation-conflicts-with-maintenance": "operations of the two annotations contradict each other",
    pub(super) CONTEXT = "shoot/operation-context": "the Shoot's status does not allow the operation",
    pub(super) POOLS = "shoot/operation-pools": "pools to be rolled out are missing, repeated or unknown",
}

/// Returns the finding for an operation that is not permitted.
pub(super) fn offence(
    kind: &'static FindingKind,
    key: &str,
    operation: &str,
    message: impl Into<String>,
) -> Offence {
    Offence::new(kind, ErrorType::Forbidden, annotation(key), message).value(operation)
}

pub(super) fn annotation(key: &str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}
