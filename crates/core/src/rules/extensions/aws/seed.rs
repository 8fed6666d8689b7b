// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/aws/validation/backupbucket.go` of provider-aws.

use crate::admission::{Context, Findings, Help, Operation, Write, rule};
use crate::rules::extensions::backups::{Backups, check_retention, period_of, period_text};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::EXTENSION;
use garden_gate_model::api::extensions::aws::backup::{BackupBucketConfig, ImmutableConfig};

rule! {
    page: include_str!("seed.md"),
    id: "aws/seed",
    summary: "validates the configuration of a Seed's backup on AWS",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "aws/backup-undecodable": "the configuration of a Seed's backup cannot be decoded",
        INVALID = "aws/backup-invalid": "a value in the configuration of a Seed's backup on AWS is invalid",
        WEAKENED = "aws/backup-immutability-weakened": "the protection of a Seed's backup in compliance mode is weakened",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version that decodes each new configuration on UPDATE strictly, not only a replaced one.
const IS_STRICT: ExtensionVersion = ExtensionVersion::new(1, 64);

const COMPLIANCE: &str = "compliance";
const GOVERNANCE: &str = "governance";

const BACKUPS: Backups = Backups {
    extension: &EXTENSION,
    since: ExtensionVersion::new(1, 62),
    undecodable: &UNDECODABLE,
};

fn check(context: &Context<'_>, change: Write<'_, Seed>, findings: &mut Findings) {
    let Some(component) = BACKUPS.begin(context, change, findings) else {
        return;
    };
    let Some(old) = BACKUPS.decode_old::<BackupBucketConfig>(&component, false, findings) else {
        return;
    };
    let has_old = BACKUPS.document(component.old_documents()).is_some();
    let is_update = context.request.operation == Operation::Update;
    let is_strict = is_update && (component.version() >= IS_STRICT || has_old);
    let new: Option<BackupBucketConfig> = BACKUPS.decode_new(&component, is_strict, findings);
    let Some(new) = new.and_then(|it| it.immutability) else {
        return;
    };
    check_immutability(&new, findings);
    if let Some(old) = old.immutability {
        check_update(&old, &new, findings);
    }
}

fn check_immutability(config: &ImmutableConfig, findings: &mut Findings) {
    let period = config.retention_period.as_ref();
    check_retention(&config.retention_type, period, &INVALID, findings);
    let (mode, modes) = (config.mode.as_str(), &[COMPLIANCE, GOVERNANCE]);
    if !modes.contains(&mode) {
        let message = format!("`{mode}` is not a valid `mode`");
        let place = Backups::place().descendant("immutability.mode");
        findings.invalid(&INVALID, place, message).value(mode).help(one_of(mode, modes));
    }
}

/// Checks that protection in compliance mode is not weakened. It can be removed.
fn check_update(old: &ImmutableConfig, new: &ImmutableConfig, findings: &mut Findings) {
    if old.mode != COMPLIANCE {
        return;
    }
    let place = Backups::place().child("immutability");
    if new.mode == GOVERNANCE {
        let message = "the mode cannot be changed from `compliance` to `governance`";
        findings
            .forbid(&WEAKENED, place.child("mode"), message)
            .value(new.mode.as_str())
            .help(Help::set("set `mode: compliance`", "compliance"));
        return;
    }
    let [new, old] = [new, old].map(|it| it.retention_period.as_ref());
    if period_of(new) < period_of(old) {
        let before = period_text(old);
        let message = format!(
            "the `retentionPeriod` cannot be reduced below `{before}` in mode `compliance`"
        );
        findings
            .forbid(&WEAKENED, place.child("retentionPeriod"), message)
            .help(format!("set `retentionPeriod: {before}` or a longer one"));
    }
}
