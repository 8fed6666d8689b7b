// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/gcp/validation/backupbucket.go` of provider-gcp.

use jiff::SignedDuration;

use crate::admission::{Context, Findings, Help, Write, rule};
use crate::rules::extensions::backups::{Backups, Retention, check_locked, period_of, period_text};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::gcp::EXTENSION;
use garden_gate_model::api::extensions::gcp::backup::{BackupBucketConfig, ImmutableConfig};
use garden_gate_text::go::Url;

rule! {
    page: include_str!("seed.md"),
    id: "gcp/seed",
    summary: "validates the configuration of a Seed's backup on Google Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "gcp/backup-undecodable": "the configuration of a Seed's backup cannot be decoded",
        INVALID = "gcp/backup-invalid": "a value in the configuration of a Seed's backup on Google Cloud is invalid",
        ENDPOINT = "gcp/backup-endpoint": "the component does not allow the endpoint of a Seed's backup on Google Cloud",
        WEAKENED = "gcp/backup-immutability-weakened": "the locked retention policy of a Seed's backup is weakened",
    },
    fixes: Safe,
    check: Judge(check),
}

const RETENTION_TYPES: &[&str] = &["bucket"];
/// The endpoints that the component allows unless an operator sets others.
const ENDPOINTS: &[&str] = &["https://storage.googleapis.com/storage/v1/"];
const SHORTEST: SignedDuration = SignedDuration::from_hours(24);

const BACKUPS: Backups = Backups {
    extension: &EXTENSION,
    since: ExtensionVersion::new(1, 42),
    undecodable: &UNDECODABLE,
};

fn check(context: &Context<'_>, change: Write<'_, Seed>, findings: &mut Findings) {
    let Some(component) = BACKUPS.begin(context, change, findings) else {
        return;
    };
    let Some(new) = BACKUPS.decode_new::<BackupBucketConfig>(&component, true, findings) else {
        return;
    };
    check_config(&new, findings);
    let old = BACKUPS
        .decode_old::<BackupBucketConfig>(&component, false, findings)
        .and_then(|it| it.immutability);
    let policies = [&old, &new.immutability].map(|it| it.as_ref().map(retention));
    check_locked(policies, &WEAKENED, findings);
}

fn check_config(config: &BackupBucketConfig, findings: &mut Findings) {
    if let Some(immutability) = &config.immutability {
        check_immutability(immutability, findings);
    }
    let store = config.store.as_ref();
    if let Some(endpoint) = store.and_then(|it| it.endpoint_override.as_deref()) {
        check_endpoint(endpoint, findings);
    }
}

fn check_immutability(config: &ImmutableConfig, findings: &mut Findings) {
    let place = Backups::place().child("immutability");
    let retention = config.retention_type.as_str();
    if !RETENTION_TYPES.contains(&retention) {
        let message = match retention {
            "" => "the `retentionType` is empty".to_owned(),
            _ => format!("`{}` is not a valid `retentionType`", short(retention)),
        };
        findings
            .invalid(&INVALID, place.child("retentionType"), message)
            .value(retention)
            .help(one_of(retention, RETENTION_TYPES));
    }
    let period = config.retention_period.as_ref();
    if period_of(period) < SHORTEST {
        let text = period_text(period);
        let message = format!("the `retentionPeriod` `{text}` is shorter than a day");
        findings
            .invalid(&INVALID, place.child("retentionPeriod"), message)
            .value(text)
            .help("use at least a day, as in `retentionPeriod: 24h`");
    }
}

/// Checks the URL of the endpoint of the store. The URLs that the component allows are assumed to be the default.
fn check_endpoint(endpoint: &str, findings: &mut Findings) {
    let place = || Backups::place().descendant("store.endpointOverride");
    let wrong = match Url::parse(endpoint) {
        Err(why) => Some(why),
        Ok(url) if url.scheme != "https" => Some("its scheme is not `https`"),
        Ok(_) => None,
    };
    if let Some(why) = wrong {
        let message = format!("`{}` is not a valid URL of an endpoint: {why}", short(endpoint));
        findings
            .invalid(&INVALID, place(), message)
            .value(endpoint)
            .help("write it like `https://storage.googleapis.com/storage/v1/`");
    }
    if !ENDPOINTS.contains(&endpoint) {
        let message = format!("`{}` is not an allowed endpoint of the store", short(endpoint));
        let Help { text, remedy } = one_of(endpoint, ENDPOINTS);
        let help = format!(
            "{text}; operators allow others by `--bb-allowed-endpoint-override-url` of `admission-gcp`"
        );
        findings
            .unsupported(&ENDPOINT, place(), message)
            .value(endpoint)
            .help(Help::of(help, remedy));
    }
}

fn retention(config: &ImmutableConfig) -> Retention<'_> {
    Retention {
        class: &config.retention_type,
        period: config.retention_period.as_ref(),
        locked: config.locked,
    }
}
