// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/azure/validation/backupbucket.go` of provider-azure.

use crate::admission::{Context, Findings, Write, rule};
use crate::rules::extensions::backups::{Backups, Retention, check_locked, check_retention};
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::EXTENSION;
use garden_gate_model::api::extensions::azure::backup::{
    BackupBucketConfig, ImmutableConfig, RotationConfig,
};

rule! {
    page: include_str!("seed.md"),
    id: "azure/seed",
    summary: "validates the configuration of a Seed's backup on Azure",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "azure/backup-undecodable": "the configuration of a Seed's backup cannot be decoded",
        INVALID = "azure/backup-invalid": "a value in the configuration of a Seed's backup on Azure is invalid",
        WEAKENED = "azure/backup-immutability-weakened": "the locked protection of a Seed's backup is weakened",
    },
    fixes: Safe,
    check: Judge(check),
}

/// Minimum age of a key at which it is rotated, in days.
const ROTATION_DAYS: i32 = 2;

const BACKUPS: Backups = Backups {
    extension: &EXTENSION,
    since: ExtensionVersion::new(1, 52),
    undecodable: &UNDECODABLE,
};

fn check(context: &Context<'_>, change: Write<'_, Seed>, findings: &mut Findings) {
    let Some(component) = BACKUPS.begin(context, change, findings) else {
        return;
    };
    let Some(new) = BACKUPS.decode_new::<BackupBucketConfig>(&component, true, findings) else {
        return;
    };
    if let Some(config) = &new.immutability {
        let period = config.retention_period.as_ref();
        check_retention(&config.retention_type, period, &INVALID, findings);
    }
    if let Some(rotation) = &new.rotation_config {
        check_rotation(rotation, findings);
    }
    let old = BACKUPS
        .decode_old::<BackupBucketConfig>(&component, true, findings)
        .and_then(|it| it.immutability);
    let policies = [&old, &new.immutability].map(|it| it.as_ref().map(retention));
    check_locked(policies, &WEAKENED, findings);
}

fn check_rotation(config: &RotationConfig, findings: &mut Findings) {
    let place = Backups::place().child("rotationConfig");
    let days = config.rotation_period_days;
    let at = place.child("rotationPeriodDays");
    let help = format!("set it to at least {ROTATION_DAYS}");
    if days < 1 {
        let message = "the rotation of keys has no period";
        findings.required(&INVALID, at, message).help(help);
        return;
    }
    if days < ROTATION_DAYS {
        let message = format!("a rotation of keys after {days} day is too frequent");
        findings.invalid(&INVALID, at, message).value(days).help(help);
    }
    if let Some(expiration) = config.expiration_period_days.filter(|it| *it <= days) {
        let message = format!("keys expire after {expiration} days, before or at their rotation");
        findings
            .invalid(&INVALID, place.child("expirationPeriodDays"), message)
            .value(expiration)
            .help(format!("use more than {days} days"));
    }
}

fn retention(config: &ImmutableConfig) -> Retention<'_> {
    Retention {
        class: &config.retention_type,
        period: config.retention_period.as_ref(),
        locked: config.locked,
    }
}
