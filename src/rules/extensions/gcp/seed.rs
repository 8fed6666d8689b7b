//! Source: `pkg/admission/validator/seed.go` and `pkg/apis/gcp/validation/backupbucket.go` of provider-gcp.

use std::borrow::Cow;

use jiff::SignedDuration;

use crate::admission::{Change, Context, ErrorType, FieldPath, Findings, rule};
use crate::api::Seed;
use crate::api::extensions::gcp::EXTENSION;
use crate::api::extensions::gcp::backup::{BackupBucketConfig, ImmutableConfig};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::gardener::extensions::{Document, Documents};
use crate::go::Url;
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::lists::{one_of, short};

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
    check: Judge(check),
}

/// The first version that judges Seeds.
const JUDGES: ExtensionVersion = ExtensionVersion::new(1, 42);

const RETENTION_TYPES: &[&str] = &["bucket"];
/// The endpoints that the component allows unless an operator sets others.
const ENDPOINTS: &[&str] = &["https://storage.googleapis.com/storage/v1/"];
const SHORTEST: SignedDuration = SignedDuration::from_hours(24);

fn check(context: &Context<'_>, change: Change<'_, Seed>, findings: &mut Findings) {
    if change.new.is_none()
        || ![change.new, change.old]
            .into_iter()
            .flatten()
            .any(is_on_gcp)
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
    if component.version() < JUDGES {
        return;
    }
    let failure = Failure {
        error: ErrorType::Invalid,
        field: place(),
        kind: &UNDECODABLE,
    };
    let new = match &backup(component.new_documents()) {
        None => BackupBucketConfig::default(),
        Some(document) => match component.decode(document, &failure, findings) {
            Some(config) => config,
            None => return,
        },
    };
    check_config(&new, findings);
    if let Some(old) = &backup(component.old_documents())
        && let Some(old) = decode_old(&component, old, &failure, findings)
    {
        check_update(&old, &new, findings);
    }
}

/// Reports whether a Seed has the label of the extension: it runs on Google Cloud, or stores backups there.
fn is_on_gcp(seed: &Seed) -> bool {
    let backup = seed.spec.backup.as_ref();
    seed.spec.provider.kind == "gcp" || backup.is_some_and(|it| it.provider == "gcp")
}

/// Returns the configuration of the backup, which the component decodes as its own even if another provider stores it.
fn backup<'d>(documents: &'d Documents<'_>) -> Option<Document<'d>> {
    let document = documents.at(ConfigurationPlace::Backup)?;
    Some(Document {
        place: document.place,
        index: document.index,
        class: Cow::Borrowed("gcp"),
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
            .help("correct it while the webhook of provider-gcp is disabled");
    }
    decoded
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
    let place = place().child("immutability");
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
    if period(config) < SHORTEST {
        let text = period_text(config);
        let message = format!("the `retentionPeriod` `{text}` is shorter than a day");
        findings
            .invalid(&INVALID, place.child("retentionPeriod"), message)
            .value(text)
            .help("use at least a day, as in `retentionPeriod: 24h`");
    }
}

/// Checks the URL of the endpoint of the store. The URLs that the component allows are assumed to be the default.
fn check_endpoint(endpoint: &str, findings: &mut Findings) {
    let place = || place().descendant("store.endpointOverride");
    let wrong = match Url::parse(endpoint) {
        Err(why) => Some(why),
        Ok(url) if url.scheme != "https" => Some("its scheme is not `https`"),
        Ok(_) => None,
    };
    if let Some(why) = wrong {
        let message = format!(
            "`{}` is not a valid URL of an endpoint: {why}",
            short(endpoint)
        );
        findings
            .invalid(&INVALID, place(), message)
            .value(endpoint)
            .help("write it like `https://storage.googleapis.com/storage/v1/`");
    }
    if !ENDPOINTS.contains(&endpoint) {
        let message = format!(
            "`{}` is not an allowed endpoint of the store",
            short(endpoint)
        );
        let help = one_of(endpoint, ENDPOINTS);
        findings
            .unsupported(&ENDPOINT, place(), message)
            .value(endpoint)
            .help(format!("{help}; operators allow others by `--bb-allowed-endpoint-override-url` of `admission-gcp`"));
    }
}

/// Checks that a locked retention policy is not weakened.
fn check_update(old: &BackupBucketConfig, new: &BackupBucketConfig, findings: &mut Findings) {
    let Some(old) = old.immutability.as_ref().filter(|it| it.locked) else {
        return;
    };
    let place = place().child("immutability");
    let new = new.immutability.as_ref();
    let Some(new) = new.filter(|it| !is_empty(it)) else {
        let message = "a locked retention policy cannot be removed";
        findings
            .invalid(&WEAKENED, place, message)
            .help("restore the previous `immutability`");
        return;
    };
    if !new.locked {
        let message = "a locked retention policy cannot be unlocked";
        findings
            .forbid(&WEAKENED, place.child("locked"), message)
            .value(false)
            .help("set `locked: true`");
    } else if period(new) < period(old) {
        let before = period_text(old);
        let message = format!(
            "the `retentionPeriod` of a locked retention policy cannot be reduced below `{before}`"
        );
        findings
            .forbid(&WEAKENED, place.child("retentionPeriod"), message)
            .help(format!("set `retentionPeriod: {before}` or a longer one"));
    }
}

/// Reports whether all values are zero values.
fn is_empty(config: &ImmutableConfig) -> bool {
    config.retention_type.is_empty() && period(config).is_zero() && !config.locked
}

/// Returns the period during which backups cannot be deleted; zero if absent.
fn period(config: &ImmutableConfig) -> SignedDuration {
    let period = config.retention_period.as_ref();
    period.map_or(SignedDuration::ZERO, |it| it.value)
}

fn period_text(config: &ImmutableConfig) -> &str {
    let period = config.retention_period.as_ref();
    period.map_or("0s", |it| it.text.as_str())
}
