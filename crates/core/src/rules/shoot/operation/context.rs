// SPDX-License-Identifier: Apache-2.0
//! The status that a Shoot must have for an operation.

use std::collections::HashSet;

use super::findings::{CONTEXT, forbid};
use super::names::{
    CA_COMPLETE, CA_START, CA_START_KEEPING_WORKERS, CREDENTIALS_COMPLETE, CREDENTIALS_START,
    CREDENTIALS_START_KEEPING_WORKERS, ETCD, ETCD_COMPLETE, ETCD_START, KEY_COMPLETE, KEY_START,
    KEY_START_KEEPING_WORKERS, ROLLOUT_WORKERS, ROTATE_ROLLOUT_WORKERS,
};
use super::pools;
use crate::admission::{Findings, Help};
use crate::rules::shared::rotation::is_ready_for_rotation_start;
use garden_gate_model::api::{Shoot, ShootStatus};
use garden_gate_text::go::is_before;

/// Kinds of credentials by their name in `status.credentials.rotation`.
type Credentials = &'static str;

const CA: Credentials = "certificateAuthorities";
const KEY: Credentials = "serviceAccountKey";
const ETCD_KEY: Credentials = "etcdEncryptionKey";

pub(super) fn check(key: &str, operations: &[String], shoot: &Shoot, findings: &mut Findings) {
    if operations.is_empty() {
        return;
    }
    let (pools, mut seen) = (shoot.pools(), HashSet::new());
    // A duplicate operation has the same violation.
    let distinct = operations.iter().filter(|it| seen.insert(it.as_str()));
    for operation in distinct {
        let asked = RequestedOperation { key, operation, shoot };
        asked.check_status(findings);
        if operation.starts_with(ROTATE_ROLLOUT_WORKERS) {
            asked.check_waiting_for_rollout(findings);
            pools::check_rotation(key, operation, &pools, findings);
        } else if operation.starts_with(ROLLOUT_WORKERS) {
            pools::check_rollout(key, operation, &pools, findings);
        }
    }
}

/// An operation that an annotation requests.
struct RequestedOperation<'a> {
    key: &'a str,
    operation: &'a str,
    shoot: &'a Shoot,
}

impl RequestedOperation<'_> {
    fn check_status(&self, findings: &mut Findings) {
        match self.operation {
            CREDENTIALS_START | CREDENTIALS_START_KEEPING_WORKERS => {
                self.check_start(&[CA, KEY, ETCD_KEY], findings);
            }
            CA_START | CA_START_KEEPING_WORKERS => self.check_start(&[CA], findings),
            KEY_START | KEY_START_KEEPING_WORKERS => self.check_start(&[KEY], findings),
            ETCD | ETCD_START => self.check_start(&[ETCD_KEY], findings),
            CREDENTIALS_COMPLETE => {
                let all = [CA, KEY, ETCD_KEY];
                let with_etcd = is_before(&self.shoot.spec.kubernetes.version, 1, 34);
                self.check_complete(if with_etcd { &all } else { &all[..2] }, findings);
            }
            CA_COMPLETE => self.check_complete(&[CA], findings),
            KEY_COMPLETE => self.check_complete(&[KEY], findings),
            ETCD_COMPLETE => self.check_complete(&[ETCD_KEY], findings),
            _ => {}
        }
    }

    fn check_start(&self, rotated: &[Credentials], findings: &mut Findings) {
        if let Some(why) = not_ready(&self.shoot.status) {
            let help = "wait until `status.lastOperation` has type `Reconcile`, or has succeeded, then try again";
            self.refuse(why, help, findings);
        }
        for credentials in rotated {
            let phase = phase(&self.shoot.status, credentials);
            if !matches!(phase, "" | "Completed") {
                let why = format!("`status.credentials.rotation.{credentials}.phase` is `{phase}`");
                self.refuse(&why, "complete the rotation that is under way first", findings);
            }
        }
    }

    fn check_complete(&self, rotated: &[Credentials], findings: &mut Findings) {
        for credentials in rotated {
            let phase = phase(&self.shoot.status, credentials);
            if phase != "Prepared" {
                let why = format!(
                    "`status.credentials.rotation.{credentials}.phase` is `{phase}`, not `Prepared`"
                );
                let help = "start the rotation, and complete it when the phase is `Prepared`";
                self.refuse(&why, help, findings);
            }
        }
    }

    fn check_waiting_for_rollout(&self, findings: &mut Findings) {
        let mut phases =
            [CA, KEY].map(|credentials| phase(&self.shoot.status, credentials)).into_iter();
        if !phases.any(|phase| phase == "WaitingForWorkersRollout") {
            let why = format!(
                "neither `{CA}` nor `{KEY}` below `status.credentials.rotation` has the phase `WaitingForWorkersRollout`"
            );
            let help = "start a rotation without rollout of workers first";
            self.refuse(&why, help, findings);
        }
    }

    fn refuse(&self, why: &str, help: impl Into<Help>, findings: &mut Findings) {
        let operation = self.operation;
        let message = format!("operation `{operation}` is not possible now: {why}");
        forbid(&CONTEXT, self.key, operation, message, findings).help(help);
    }
}

/// Returns why a rotation may not start yet; `None` if it may.
fn not_ready(status: &ShootStatus) -> Option<&'static str> {
    if is_ready_for_rotation_start(status) {
        return None;
    }
    let last = status.last_operation.as_ref();
    Some(match last.map_or("", |it| it.kind.as_str()) {
        "Migrate" | "Restore" => "the Shoot is being migrated to another seed",
        "Delete" => "the Shoot is being deleted",
        _ => "the Shoot has not been created successfully yet",
    })
}

fn phase<'a>(status: &'a ShootStatus, credentials: &str) -> &'a str {
    match credentials {
        CA => status.phase(|rotation| rotation.certificate_authorities.as_ref()),
        KEY => status.phase(|rotation| rotation.service_account_key.as_ref()),
        _ => status.phase(|rotation| rotation.etcd_encryption_key.as_ref()),
    }
}
