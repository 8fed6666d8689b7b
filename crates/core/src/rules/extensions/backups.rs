//! The configuration of a Seed's backup, as the admission components of providers read it.

use std::borrow::Cow;

use jiff::SignedDuration;
use serde::de::DeserializeOwned;

use super::{Component, Failure};
use crate::admission::{ErrorType, FieldPath, FindingKind, Findings, Help, Write};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::extensions::ConfigurationPlace;
use garden_gate_model::api::{DurationText, Seed};
use garden_gate_model::gardener::extensions::{Document, Documents};

const RETENTION_TYPES: &[&str] = &["bucket"];
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The retention policy of a bucket.
#[derive(Clone, Copy)]
pub(crate) struct Retention<'a> {
    /// The `retentionType`.
    pub(crate) class: &'a str,
    pub(crate) period: Option<&'a DurationText>,
    pub(crate) locked: bool,
}

impl Retention<'_> {
    /// Reports whether a component treats the policy as absent.
    fn is_empty(&self) -> bool {
        self.class.is_empty() && period_of(self.period).is_zero() && !self.locked
    }
}

/// The backups of Seeds that a provider judges.
#[derive(Clone, Copy)]
pub(crate) struct Backups {
    /// The type of the provider.
    pub(crate) class: &'static str,
    /// The configuration cannot be decoded.
    pub(crate) undecodable: &'static FindingKind,
}

impl Backups {
    /// Reports whether the old or new Seed has the label of the extension: it runs on the provider, or stores backups there.
    pub(crate) fn are_judged(&self, Write { new, old }: Write<'_, Seed>) -> bool {
        let is_judged = |seed: &Seed| {
            let backup = seed.spec.backup.as_ref();
            seed.spec.provider.kind == self.class
                || backup.is_some_and(|it| it.provider == self.class)
        };
        is_judged(new) || old.is_some_and(is_judged)
    }

    /// Returns the path of the configuration.
    pub(crate) fn place() -> FieldPath {
        FieldPath::new("spec.backup.providerConfig")
    }

    /// Returns the configuration, which the component decodes as its own even if another provider stores the backup.
    pub(crate) fn document<'d>(&self, documents: &'d Documents<'_>) -> Option<Document<'d>> {
        let document = documents.at(ConfigurationPlace::Backup)?;
        Some(Document {
            place: document.place,
            index: document.index,
            class: Cow::Borrowed(self.class),
            text: Cow::Borrowed(&document.text),
        })
    }

    /// Returns how the component reports a configuration that it cannot decode.
    pub(crate) fn failure(&self) -> Failure {
        Failure { error: ErrorType::Invalid, field: Self::place(), kind: self.undecodable }
    }

    /// Decodes the stored configuration; reports that this is impossible.
    pub(crate) fn decode_old<T: DeserializeOwned>(
        &self,
        component: &Component<'_, '_>,
        old: &Document<'_>,
        is_strict: bool,
        findings: &mut Findings,
    ) -> Option<T> {
        let mut decoded = None;
        let is_undecodable = findings.would_find(|findings| {
            decoded = if is_strict {
                component.decode(old, &self.failure(), findings)
            } else {
                component.decode_leniently(old, &self.failure(), findings)
            };
        });
        if is_undecodable {
            let message = "the stored configuration of the backup cannot be decoded, which refuses every update of the Seed";
            findings.invalid(self.undecodable, Self::place(), message).help(format!(
                "correct it while the webhook of provider-{} is disabled",
                self.class
            ));
        }
        decoded
    }
}

/// Checks the retention of a bucket: its type, and its period of whole days.
pub(crate) fn check_retention(
    retention: &str,
    period: Option<&DurationText>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let place = Backups::place().child("immutability");
    if !RETENTION_TYPES.contains(&retention) {
        let message = format!("`{}` is not a valid `retentionType`", short(retention));
        findings
            .invalid(kind, place.child("retentionType"), message)
            .value(retention)
            .help(one_of(retention, RETENTION_TYPES));
    }
    let text = period_text(period);
    let period = period_of(period);
    for (is_wrong, requirement) in [
        (period < DAY, "shorter than a day"),
        (period.as_nanos() % DAY.as_nanos() != 0, "not a number of whole days"),
    ] {
        if is_wrong {
            let message = format!("the `retentionPeriod` `{text}` is {requirement}");
            findings
                .invalid(kind, place.child("retentionPeriod"), message)
                .value(text)
                .help("use whole days in hours, as in `retentionPeriod: 24h`");
        }
    }
}

/// Checks that a locked retention policy is not weakened.
pub(crate) fn check_locked(
    [old, new]: [Option<Retention<'_>>; 2],
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let Some(old) = old.filter(|it| it.locked) else {
        return;
    };
    let place = Backups::place().child("immutability");
    let Some(new) = new.filter(|it| !it.is_empty()) else {
        let message = "a locked retention policy cannot be removed";
        findings.invalid(kind, place, message).help(Help::restore("restore `immutability`"));
        return;
    };
    if !new.locked {
        let message = "a locked retention policy cannot be unlocked";
        findings
            .forbid(kind, place.child("locked"), message)
            .value(false)
            .help(Help::set("set `locked: true`", true));
    } else if period_of(new.period) < period_of(old.period) {
        let before = period_text(old.period);
        let message =
            format!("the `retentionPeriod` of a locked policy cannot be reduced below `{before}`");
        findings
            .forbid(kind, place.child("retentionPeriod"), message)
            .help(format!("set `retentionPeriod: {before}` or a longer one"));
    }
}

/// Returns a period during which backups cannot be deleted; zero if absent.
pub(crate) fn period_of(period: Option<&DurationText>) -> SignedDuration {
    period.map_or(SignedDuration::ZERO, |it| it.value)
}

/// Returns a period as written; zero if absent.
pub(crate) fn period_text(period: Option<&DurationText>) -> &str {
    period.map_or("0s", |it| it.text.as_str())
}
