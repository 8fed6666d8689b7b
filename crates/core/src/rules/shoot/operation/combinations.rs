// SPDX-License-Identifier: Apache-2.0
//! Combinations of operations, and operations on Shoots that are hibernated or being re-encrypted.

use std::collections::HashSet;

use super::findings::{
    CONFLICT, ENCRYPTION_ROLLOUT, ETCD_SPLIT, HIBERNATED, IN_BOTH, INCOMPATIBLE, forbid,
};
use super::names::{
    CREDENTIALS_START, ETCD, ETCD_COMPLETE, ETCD_START, FORCE, MAINTENANCE, NOW, conflicting_with,
    incompatible_with, is_rollout, needs_awake,
};
use crate::admission::{FieldPath, Findings};
use crate::rules::shoot::encryption::{actual, wanted};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::is_before;

/// Operations that start an encryption of all data.
///
/// They are refused while another encryption is in progress.
const ENCRYPTING: [&str; 3] = [CREDENTIALS_START, ETCD, ETCD_START];

pub(super) fn check(
    shoot: &Shoot,
    now: &[String],
    maintenance: &[String],
    findings: &mut Findings,
) {
    let [now_names, maintenance_names] = [now, maintenance].map(names);
    let twice = |operation: &&String| {
        let name = operation.as_str();
        maintenance_names.contains(name) && name != FORCE
    };
    if let Some(operation) = now.iter().find(twice) {
        let message = format!("operation `{operation}` stands in both `{NOW}` and `{MAINTENANCE}`");
        let field = FieldPath::new("metadata.annotations");
        findings
            .forbid(&IN_BOTH, field, message)
            .value(operation.as_str())
            .help("remove it from one of the two");
    }
    let encrypts = |operation: &String| ENCRYPTING.contains(&operation.as_str());
    let encrypting = now.iter().chain(maintenance).any(encrypts);
    let is_encrypted_anew = encrypting && wanted(shoot) != actual(&shoot.status);
    for (key, operations, beside) in
        [(NOW, now, &now_names), (MAINTENANCE, maintenance, &maintenance_names)]
    {
        let asked = OperationSet { shoot, key, beside, is_encrypted_anew };
        for operation in operations {
            asked.check(operation, findings);
        }
    }
    check_conflicts(maintenance, &now_names, MAINTENANCE, findings);
    check_conflicts(now, &maintenance_names, NOW, findings);
}

type Names<'a> = HashSet<&'a str>;

fn names(operations: &[String]) -> Names<'_> {
    operations.iter().map(String::as_str).collect()
}

/// The context in which the operations of one annotation are checked.
struct OperationSet<'a> {
    shoot: &'a Shoot,
    key: &'a str,
    /// The operations of the same annotation.
    beside: &'a Names<'a>,
    /// Whether all data is being re-encrypted.
    is_encrypted_anew: bool,
}

impl OperationSet<'_> {
    fn check(&self, operation: &str, findings: &mut Findings) {
        let Self { shoot, key, beside, is_encrypted_anew } = *self;
        let version = &shoot.spec.kubernetes.version;
        if matches!(operation, ETCD_START | ETCD_COMPLETE) && !is_before(version, 1, 34) {
            let message = format!(
                "operation `{operation}` ended with Kubernetes 1.34, and the Shoot has version `{version}`"
            );
            // Gardener reports the annotation for immediate operations, whichever annotation it is.
            forbid(&ETCD_SPLIT, NOW, operation, message, findings)
                .at(&super::annotation(key))
                .help(format!("use `{ETCD}`, which does both steps"));
        }
        let forbidden: Vec<&str> = incompatible_with(operation)
            .iter()
            .copied()
            .filter(|other| beside.contains(other))
            .collect();
        if !forbidden.is_empty() {
            let others = forbidden.join("`, `");
            let message = format!("operation `{operation}` contradicts `{others}` beside it");
            forbid(&INCOMPATIBLE, key, operation, message, findings).help("keep one of them");
        }
        if shoot.is_in_hibernation() && (needs_awake(operation) || is_rollout(operation)) {
            let message = format!(
                "operation `{operation}` needs a control plane that runs, but the Shoot sleeps or wakes up"
            );
            forbid(&HIBERNATED, key, operation, message, findings)
                .help("wake the Shoot up, and wait until `status.hibernated` is false");
        }
        if ENCRYPTING.contains(&operation) && is_encrypted_anew {
            let message = format!(
                "operation `{operation}` has to wait: `spec.kubernetes.kubeAPIServer.encryptionConfig.resources` and \
                `status.credentials.encryptionAtRest.resources` differ"
            );
            forbid(&ENCRYPTION_ROLLOUT, key, operation, message, findings)
                .help("wait until the resources are re-encrypted");
        }
    }
}

/// Reports conflicts between the annotations.
///
/// As Gardener, reports them at the annotation for immediate operations, whichever of the two is stronger.
fn check_conflicts(strong: &[String], weak: &Names<'_>, key: &str, findings: &mut Findings) {
    for operation in strong {
        let others: Vec<&str> = conflicting_with(operation)
            .iter()
            .copied()
            .filter(|other| weak.contains(other))
            .collect();
        if !others.is_empty() {
            let listed = others.join("`, `");
            let message = format!(
                "operation `{operation}` in `{key}` contradicts `{listed}` in the other annotation"
            );
            forbid(&CONFLICT, NOW, operation, message, findings).help("keep one of them");
        }
    }
}
