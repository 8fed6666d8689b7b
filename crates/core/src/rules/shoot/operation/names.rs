// SPDX-License-Identifier: Apache-2.0
//! The operations that annotations can request.

/// Annotation that starts operations at once.
pub(crate) const NOW: &str = "gardener.cloud/operation";
/// Annotation that starts operations in the maintenance window.
pub(crate) const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

pub(super) const CREDENTIALS_START: &str = "rotate-credentials-start";
pub(super) const CREDENTIALS_START_KEEPING_WORKERS: &str =
    "rotate-credentials-start-without-workers-rollout";
pub(super) const CREDENTIALS_COMPLETE: &str = "rotate-credentials-complete";
pub(super) const CA_START: &str = "rotate-ca-start";
pub(super) const CA_START_KEEPING_WORKERS: &str = "rotate-ca-start-without-workers-rollout";
pub(super) const CA_COMPLETE: &str = "rotate-ca-complete";
pub(super) const KEY_START: &str = "rotate-serviceaccount-key-start";
pub(super) const KEY_START_KEEPING_WORKERS: &str =
    "rotate-serviceaccount-key-start-without-workers-rollout";
pub(super) const KEY_COMPLETE: &str = "rotate-serviceaccount-key-complete";
pub(super) const ETCD: &str = "rotate-etcd-encryption-key";
pub(crate) const ETCD_START: &str = "rotate-etcd-encryption-key-start";
pub(crate) const ETCD_COMPLETE: &str = "rotate-etcd-encryption-key-complete";
pub(super) const OBSERVABILITY: &str = "rotate-observability-credentials";
pub(super) const SSH_KEYPAIR: &str = "rotate-ssh-keypair";
pub(super) const RECONCILE: &str = "reconcile";
pub(super) const RETRY: &str = "retry";
pub(crate) const FORCE: &str = "force-in-place-update";
pub(super) const ROTATE_ROLLOUT_WORKERS: &str = "rotate-rollout-workers";
pub(crate) const ROLLOUT_WORKERS: &str = "rollout-workers";

/// Operations that may not be combined with others.
const ALONE: [&str; 3] = [FORCE, "maintain", RETRY];

/// Operations that may be combined, also while the Shoot is hibernated.
const COMBINABLE: [&str; 6] =
    [RECONCILE, CA_COMPLETE, CA_START, CA_START_KEEPING_WORKERS, OBSERVABILITY, SSH_KEYPAIR];

/// Operations that may be combined, but need a running control plane.
const AWAKE: [&str; 9] = [
    CREDENTIALS_COMPLETE,
    CREDENTIALS_START,
    CREDENTIALS_START_KEEPING_WORKERS,
    ETCD,
    ETCD_COMPLETE,
    ETCD_START,
    KEY_COMPLETE,
    KEY_START,
    KEY_START_KEEPING_WORKERS,
];

/// Returns every operation by its plain name, sorted.
pub(super) fn all() -> Vec<&'static str> {
    let rollouts = [ROLLOUT_WORKERS, ROTATE_ROLLOUT_WORKERS];
    let mut names = [&ALONE[..], &COMBINABLE, &AWAKE, &rollouts].concat();
    names.sort_unstable();
    names
}

/// Reports whether the operation rolls out workers.
///
/// Only the prefix is compared; names of pools follow after `=`.
pub(super) fn is_rollout(operation: &str) -> bool {
    operation.starts_with(ROTATE_ROLLOUT_WORKERS) || operation.starts_with(ROLLOUT_WORKERS)
}

pub(super) fn is_known(operation: &str) -> bool {
    ALONE.contains(&operation) || is_combinable(operation)
}

pub(super) fn is_combinable(operation: &str) -> bool {
    COMBINABLE.contains(&operation) || AWAKE.contains(&operation) || is_rollout(operation)
}

/// Reports whether the operation needs a running control plane.
///
/// Rollouts of workers need one too, but are not included.
pub(crate) fn needs_awake(operation: &str) -> bool {
    AWAKE.contains(&operation)
}

/// Reports whether the operation starts a rotation that changes nodes.
///
/// Such a rotation must wait until in-place updates are complete.
pub(crate) fn waits_for_updates_in_place(operation: &str) -> bool {
    matches!(
        operation,
        CA_START
            | CA_START_KEEPING_WORKERS
            | CREDENTIALS_START
            | CREDENTIALS_START_KEEPING_WORKERS
            | KEY_START
            | KEY_START_KEEPING_WORKERS
    )
}

/// Returns the operations that may not be combined with `operation` in one annotation.
pub(super) fn incompatible_with(operation: &str) -> &'static [&'static str] {
    match operation {
        CREDENTIALS_START => &[
            CA_START_KEEPING_WORKERS,
            KEY_START_KEEPING_WORKERS,
            CREDENTIALS_START_KEEPING_WORKERS,
        ],
        CREDENTIALS_START_KEEPING_WORKERS => &[CA_START, KEY_START],
        CA_START => &[CA_START_KEEPING_WORKERS],
        KEY_START => &[KEY_START_KEEPING_WORKERS],
        ETCD => &[ETCD_START],
        _ => &[],
    }
}

/// Returns the operations that conflict with `operation` in the other annotation.
pub(super) fn conflicting_with(operation: &str) -> &'static [&'static str] {
    match operation {
        CREDENTIALS_START | CREDENTIALS_START_KEEPING_WORKERS => &[
            CA_START,
            CA_START_KEEPING_WORKERS,
            KEY_START,
            KEY_START_KEEPING_WORKERS,
            ETCD,
            ETCD_START,
        ],
        CREDENTIALS_COMPLETE => &[CA_COMPLETE, KEY_COMPLETE, ETCD_COMPLETE],
        _ => &[],
    }
}

/// Returns the operations that `operation` includes, so that Gardener drops them.
pub(super) fn covered_by(operation: &str) -> &'static [&'static str] {
    match operation {
        CREDENTIALS_START => &[CA_START, KEY_START, ETCD, ETCD_START, OBSERVABILITY, SSH_KEYPAIR],
        CREDENTIALS_START_KEEPING_WORKERS => &[
            CA_START_KEEPING_WORKERS,
            KEY_START_KEEPING_WORKERS,
            ETCD,
            ETCD_START,
            OBSERVABILITY,
            SSH_KEYPAIR,
        ],
        CREDENTIALS_COMPLETE => &[CA_COMPLETE, KEY_COMPLETE, ETCD_COMPLETE],
        _ => &[],
    }
}
