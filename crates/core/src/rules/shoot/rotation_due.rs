// SPDX-License-Identifier: Apache-2.0
use jiff::{SignedDuration, Timestamp};

use crate::admission::{Context, FieldPath, FindingKind, Findings, Update, rule};
use garden_gate_model::api::{Rotation, Shoot, ShootCredentialsRotation};
use garden_gate_text::go::go_duration;

rule! {
    page: include_str!("rotation_due.md"),
    id: "shoot/rotation-due",
    summary: "warns about credentials that are due for rotation",
    phase: Static,
    level: Warn,
    scopes: [Shoot [Update]],
    findings: {
        ALL = "shoot/warn-credentials-rotation-due": "credentials were never rotated",
        CA_DUE = "shoot/warn-ca-rotation-due": "the certificate authorities are due for rotation",
        ETCD_DUE = "shoot/warn-etcd-key-rotation-due": "the etcd encryption key is due for rotation",
        OBSERVABILITY_DUE = "shoot/warn-observability-rotation-due": "the observability passwords are due for rotation",
        KEY_DUE = "shoot/warn-sa-key-rotation-due": "the service account signing key is due for rotation",
        SSH_DUE = "shoot/warn-ssh-rotation-due": "the SSH key pair is due for rotation",
        CA_HALF = "shoot/warn-ca-completion-due": "the rotation of certificate authorities is incomplete",
        ETCD_HALF = "shoot/warn-etcd-key-completion-due": "the rotation of the etcd encryption key is incomplete",
        KEY_HALF = "shoot/warn-sa-key-completion-due": "the rotation of the service account signing key is incomplete",
    },
    check: Judge(check),
}

type Select = fn(&ShootCredentialsRotation) -> Option<&Rotation>;

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let due =
        Due { interval: context.config.advice.credentials_rotation_interval, now: context.now };
    let created = new
        .metadata
        .creation_timestamp
        .as_ref()
        .or(old.metadata.creation_timestamp.as_ref())
        .and_then(|created| created.parse::<Timestamp>().ok());
    let is_old = created.is_some_and(|created| is_past(created, due.interval, due.now));
    match &new.status.credentials.rotation {
        None if is_old => {
            let message = "no credentials of the Shoot were ever rotated; consider it".to_owned();
            add(&ALL, "", message, "rotate-credentials-start", findings);
        }
        None => {}
        Some(rotation) => {
            if is_old {
                due.check_start(new, rotation, findings);
            }
            due.check_completion(rotation, findings);
        }
    }
}

/// The time after which a rotation is due.
struct Due {
    interval: SignedDuration,
    now: Timestamp,
}

impl Due {
    fn check_start(
        &self,
        shoot: &Shoot,
        rotation: &ShootCredentialsRotation,
        findings: &mut Findings,
    ) {
        let is_tested = shoot.spec.purpose.as_deref() == Some("testing");
        let kinds: [(&'static FindingKind, &str, &str, bool, Select); 5] = [
            (&CA_DUE, "certificateAuthorities", "rotate-ca-start", true, |all| {
                all.certificate_authorities.as_ref()
            }),
            (&ETCD_DUE, "etcdEncryptionKey", "rotate-etcd-encryption-key", true, |all| {
                all.etcd_encryption_key.as_ref()
            }),
            (
                &OBSERVABILITY_DUE,
                "observability",
                "rotate-observability-credentials",
                !is_tested,
                |all| all.observability.as_ref(),
            ),
            (&KEY_DUE, "serviceAccountKey", "rotate-serviceaccount-key-start", true, |all| {
                all.service_account_key.as_ref()
            }),
            (&SSH_DUE, "sshKeypair", "rotate-ssh-keypair", shoot.has_ssh_access(), |all| {
                all.ssh_keypair.as_ref()
            }),
        ];
        for (kind, field, operation, counts, select) in kinds {
            let started = select(rotation).and_then(|rotation| rotation.last_initiation_time);
            let is_due = started.is_none_or(|started| is_past(started, self.interval, self.now));
            if counts && is_due {
                let message = match started {
                    None => format!("`{field}` was never rotated; consider it"),
                    Some(started) => {
                        format!("`{field}` was last rotated at {started}; consider it")
                    }
                };
                add(kind, field, message, operation, findings);
            }
        }
    }

    fn check_completion(&self, rotation: &ShootCredentialsRotation, findings: &mut Findings) {
        let longest = self.interval / 3;
        let kinds: [(&'static FindingKind, &str, &str, Select); 3] = [
            (&CA_HALF, "certificateAuthorities", "rotate-ca-complete", |all| {
                all.certificate_authorities.as_ref()
            }),
            (&ETCD_HALF, "etcdEncryptionKey", "rotate-etcd-encryption-key-complete", |all| {
                all.etcd_encryption_key.as_ref()
            }),
            (&KEY_HALF, "serviceAccountKey", "rotate-serviceaccount-key-complete", |all| {
                all.service_account_key.as_ref()
            }),
        ];
        for (kind, field, operation, select) in kinds {
            let Some(rotation) = select(rotation) else {
                continue;
            };
            let Some(finished) = rotation.last_initiation_finished_time else {
                continue;
            };
            let triggered = rotation
                .last_completion_triggered_time
                .is_some_and(|triggered| triggered > finished);
            if !triggered && is_past(finished, longest, self.now) {
                let message = format!(
                    "the rotation of `{field}` was prepared at {finished}, more than {} ago, and should be completed",
                    go_duration(longest)
                );
                add(kind, field, message, operation, findings);
            }
        }
    }
}

/// Reports whether more than `span` has passed since `instant`; not if exactly that.
fn is_past(instant: Timestamp, span: SignedDuration, now: Timestamp) -> bool {
    instant.checked_add(span).is_ok_and(|end| end < now)
}

fn add(
    kind: &'static FindingKind,
    field: &'static str,
    message: String,
    operation: &str,
    findings: &mut Findings,
) {
    let path = FieldPath::new("status.credentials.rotation");
    let path = if field.is_empty() { path } else { path.child(field) };
    findings
        .invalid(kind, path, message)
        .help(format!("annotate the Shoot with `gardener.cloud/operation={operation}`"));
}
