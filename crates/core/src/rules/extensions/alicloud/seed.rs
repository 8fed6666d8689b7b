// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/alicloud/validation/backupbucket.go` of provider-alicloud.

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::extensions::backups::Backups;
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::alicloud::EXTENSION;
use garden_gate_model::api::extensions::alicloud::backup::{BackupBucketConfig, ImmutableConfig};

rule! {
    page: include_str!("seed.md"),
    id: "alicloud/seed",
    summary: "validates the configuration of a Seed's backup on Alibaba Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "alicloud/backup-undecodable": "the configuration of a Seed's backup cannot be decoded",
        CREDENTIALS = "alicloud/backup-credentials": "the credentials of a Seed's backup on Alibaba Cloud are not a Secret",
        INVALID = "alicloud/backup-invalid": "a value in the configuration of a Seed's backup on Alibaba Cloud is invalid",
        WEAKENED = "alicloud/backup-immutability-weakened": "the retention policy of a Seed's backup is weakened",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version that checks the kind of credentials.
const CHECKS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 66);

const BUCKET: &str = "bucket";

const BACKUPS: Backups = Backups {
    extension: &EXTENSION,
    since: ExtensionVersion::new(1, 65),
    undecodable: &UNDECODABLE,
};

fn check(context: &Context<'_>, change: Write<'_, Seed>, findings: &mut Findings) {
    let Some(component) = BACKUPS.begin(context, change, findings) else {
        return;
    };
    if component.version() >= CHECKS_CREDENTIALS {
        check_credentials(context, findings);
    }
    let Some(new) = BACKUPS.decode_new::<BackupBucketConfig>(&component, true, findings) else {
        return;
    };
    if let Some(new) = &new.immutability {
        check_immutability(new, findings);
    }
    let old = BACKUPS
        .decode_old::<BackupBucketConfig>(&component, false, findings)
        .and_then(|it| it.immutability);
    if let (Some(new), Some(old)) = (&new.immutability, &old) {
        check_update([new, old], findings);
    }
}

/// Checks that the credentials are a Secret; Gardener requires them.
fn check_credentials(context: &Context<'_>, findings: &mut Findings) {
    let Some(reference) = Part::whole(context.new_opened())
        .at(&["spec", "backup", "credentialsRef"])
        .filter(|it| !it.is_empty())
    else {
        return;
    };
    let [api_version, kind] = ["apiVersion", "kind"].map(|it| reference.text_at(&[it]));
    if (api_version.as_str(), kind.as_str()) != ("v1", "Secret") {
        let place = FieldPath::new("spec.backup.credentialsRef");
        let message = format!("`{}` is not a Secret", short(&kind));
        findings
            .unsupported(&CREDENTIALS, place, message)
            .help("write `apiVersion: v1` and `kind: Secret`");
    }
}

fn check_immutability(config: &ImmutableConfig, findings: &mut Findings) {
    let place = Backups::place().child("immutability");
    let retention = config.retention_type.as_str();
    if retention != BUCKET {
        let message = format!("`{}` is not a valid `retentionType`", short(retention));
        findings
            .invalid(&INVALID, place.child("retentionType"), message)
            .value(retention)
            .help(Help::set("write `retentionType: bucket`", "bucket"));
    }
    let days = config.retention_period;
    if days < 1 {
        let message = format!("a `retentionPeriod` of {days} days is too short");
        findings
            .invalid(&INVALID, place.child("retentionPeriod"), message)
            .value(days)
            .help("use 1 or more days");
    }
}

fn check_update([new, old]: [&ImmutableConfig; 2], findings: &mut Findings) {
    let place = Backups::place().child("immutability");
    if old.locked && !new.locked {
        let message = "a locked retention policy cannot be unlocked";
        findings
            .forbid(&WEAKENED, place.child("locked"), message)
            .help(Help::set("write `locked: true`", true));
    }
    let [days, previous] = [new.retention_period, old.retention_period];
    if days < previous {
        let message =
            format!("the `retentionPeriod` cannot be reduced from {previous} to {days} days");
        findings
            .forbid(&WEAKENED, place.child("retentionPeriod"), message)
            .help(format!("use {previous} or more days"));
    }
}
