//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/aws/validation/backupbucket.go` of provider-aws.

use std::borrow::Cow;

use jiff::SignedDuration;

use crate::admission::{Change, Context, ErrorType, FieldPath, Findings, Operation, rule};
use crate::api::Seed;
use crate::api::extensions::aws::EXTENSION;
use crate::api::extensions::aws::backup::{BackupBucketConfig, ImmutableConfig};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::gardener::extensions::{Document, Documents};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::lists::one_of;

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
    check: Judge(check),
}

/// The first version that judges Seeds.
const JUDGES: ExtensionVersion = ExtensionVersion::new(1, 62);
/// The first version that decodes each new configuration on UPDATE strictly, not only a replaced one.
const IS_STRICT: ExtensionVersion = ExtensionVersion::new(1, 64);

const RETENTION_TYPES: &[&str] = &["bucket"];
const COMPLIANCE: &str = "compliance";
const GOVERNANCE: &str = "governance";
const DAY: SignedDuration = SignedDuration::from_hours(24);

fn check(context: &Context<'_>, change: Change<'_, Seed>, findings: &mut Findings) {
    if change.new.is_none()
        || ![change.new, change.old]
            .into_iter()
            .flatten()
            .any(is_on_aws)
    {
        return;
    }
    let common = CommonFindings {
        undecodable: &UNDECODABLE,
        failure: &UNDECODABLE,
    };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let version = component.version();
    if version < JUDGES {
        return;
    }
    let new = backup(component.new_documents());
    let old = backup(component.old_documents());
    let failure = Failure {
        error: ErrorType::Invalid,
        field: place(),
        kind: &UNDECODABLE,
    };
    let is_update = context.request.operation == Operation::Update;
    let old = match &old {
        None => None,
        Some(old) => match decode_old(&component, old, &failure, findings) {
            None => return,
            known => known,
        },
    };
    let Some(new) = new else { return };
    let new = if is_update && (version >= IS_STRICT || old.is_some()) {
        component.decode::<BackupBucketConfig>(&new, &failure, findings)
    } else {
        component.decode_leniently(&new, &failure, findings)
    };
    let Some(new) = new.and_then(|it| it.immutability) else {
        return;
    };
    check_immutability(&new, findings);
    if let Some(old) = old.and_then(|it| it.immutability) {
        check_update(&old, &new, findings);
    }
}

/// Reports whether a Seed has the label of the extension: it runs on AWS, or stores backups there.
fn is_on_aws(seed: &Seed) -> bool {
    let backup = seed.spec.backup.as_ref();
    seed.spec.provider.kind == "aws" || backup.is_some_and(|it| it.provider == "aws")
}

/// Returns the configuration of the backup, which the component decodes as its own even if another provider stores it.
fn backup<'d>(documents: &'d Documents<'_>) -> Option<Document<'d>> {
    let document = documents.at(ConfigurationPlace::Backup)?;
    Some(Document {
        place: document.place,
        index: document.index,
        class: Cow::Borrowed("aws"),
        text: Cow::Borrowed(&document.text),
    })
}

fn place() -> FieldPath {
    FieldPath::new("spec.backup.providerConfig")
}

/// Decodes the stored configuration; reports that this is impossible.
fn decode_old(
    component: &Component<'_, '_>,
    old: &Document<'_>,
    failure: &Failure,
    findings: &mut Findings,
) -> Option<BackupBucketConfig> {
    let mut decoded = None;
    let is_undecodable = findings.would_find(|findings| {
        decoded = component.decode_leniently(old, failure, findings);
    });
    if is_undecodable {
        let message = "the stored configuration of the backup cannot be decoded, which refuses every update of the Seed";
        findings
            .invalid(&UNDECODABLE, place(), message)
            .help("correct it while the webhook of provider-aws is disabled");
    }
    decoded
}

fn check_immutability(config: &ImmutableConfig, findings: &mut Findings) {
    let place = place().child("immutability");
    let retention = config.retention_type.as_str();
    if !RETENTION_TYPES.contains(&retention) {
        let message = format!("`{retention}` is not a valid `retentionType`");
        findings
            .invalid(&INVALID, place.child("retentionType"), message)
            .value(retention)
            .help(one_of(retention, RETENTION_TYPES));
    }
    let period = period(config);
    let text = config.retention_period.as_ref();
    let text = text.map_or("0s", |it| it.text.as_str());
    for (is_wrong, requirement) in [
        (period < DAY, "shorter than a day"),
        (
            period.as_nanos() % DAY.as_nanos() != 0,
            "not a number of whole days",
        ),
    ] {
        if is_wrong {
            let message = format!("the `retentionPeriod` `{text}` is {requirement}");
            findings
                .invalid(&INVALID, place.child("retentionPeriod"), message)
                .value(text)
                .help("use whole days in hours, as in `retentionPeriod: 24h`");
        }
    }
    let (mode, modes) = (config.mode.as_str(), &[COMPLIANCE, GOVERNANCE]);
    if !modes.contains(&mode) {
        let message = format!("`{mode}` is not a valid `mode`");
        findings
            .invalid(&INVALID, place.child("mode"), message)
            .value(mode)
            .help(one_of(mode, modes));
    }
}

/// Checks that protection in compliance mode is not weakened. It can be removed.
fn check_update(old: &ImmutableConfig, new: &ImmutableConfig, findings: &mut Findings) {
    if old.mode != COMPLIANCE {
        return;
    }
    let place = place().child("immutability");
    if new.mode == GOVERNANCE {
        let message = "the mode cannot be changed from `compliance` to `governance`";
        findings
            .forbid(&WEAKENED, place.child("mode"), message)
            .value(new.mode.as_str())
            .help("set `mode: compliance`");
    } else if period(new) < period(old) {
        let before = old.retention_period.as_ref();
        let before = before.map_or("0s", |it| it.text.as_str());
        let message = format!(
            "the `retentionPeriod` cannot be reduced below `{before}` in mode `compliance`"
        );
        findings
            .forbid(&WEAKENED, place.child("retentionPeriod"), message)
            .help(format!("set `retentionPeriod: {before}` or a longer one"));
    }
}

/// Returns the period during which backups cannot be deleted; zero if absent.
fn period(config: &ImmutableConfig) -> SignedDuration {
    let period = config.retention_period.as_ref();
    period.map_or(SignedDuration::ZERO, |it| it.value)
}
