// SPDX-License-Identifier: Apache-2.0
//! The configuration of a Seed's backup, as the admission components of providers read it.

use std::borrow::Cow;

use jiff::SignedDuration;
use serde::de::DeserializeOwned;

use super::{CommonFindings, Component, Failure};
use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings, Help, Write};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::extensions::{ConfigurationPlace, Extension, ExtensionVersion};
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
    pub(crate) extension: &'static Extension,
    /// The first version that judges Seeds.
    pub(crate) since: ExtensionVersion,
    /// The configuration cannot be decoded.
    pub(crate) undecodable: &'static FindingKind,
}

impl Backups {
    /// Prepares the judgement of a Seed; `None` if the component does not judge it.
    ///
    /// The old or new Seed needs the label of the extension: it runs on the provider, or stores backups there.
    pub(crate) fn begin<'c, 'a>(
        &self,
        context: &'c Context<'a>,
        Write { new, old }: Write<'_, Seed>,
        findings: &mut Findings,
    ) -> Option<Component<'c, 'a>> {
        let class = self.class();
        let is_judged = |seed: &Seed| {
            let backup = seed.spec.backup.as_ref();
            seed.spec.provider.kind == class || backup.is_some_and(|it| it.provider == class)
        };
        if !is_judged(new) && !old.is_some_and(is_judged) {
            return None;
        }
        let common = CommonFindings { undecodable: self.undecodable, failure: self.undecodable };
        let component = Component::begin(context, self.extension, common, findings)?;
        (component.version() >= self.since).then_some(component)
    }

    /// Returns the type of the provider.
    fn class(&self) -> &'static str {
        self.extension.resource.1
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
            runtime: 0,
            class: Cow::Borrowed(self.class()),
            text: Cow::Borrowed(&document.text),
        })
    }

    /// Decodes the new configuration; returns the default if there is none.
    ///
    /// Reports a configuration that cannot be decoded.
    pub(crate) fn decode_new<T: DeserializeOwned + Default>(
        &self,
        component: &Component<'_, '_>,
        is_strict: bool,
        findings: &mut Findings,
    ) -> Option<T> {
        self.decode(component, component.new_documents(), is_strict, findings)
    }

    /// Decodes the stored configuration like [`Self::decode_new`].
    pub(crate) fn decode_old<T: DeserializeOwned + Default>(
        &self,
        component: &Component<'_, '_>,
        is_strict: bool,
        findings: &mut Findings,
    ) -> Option<T> {
        let mut decoded = None;
        let is_undecodable = findings.would_find(|findings| {
            decoded = self.decode(component, component.old_documents(), is_strict, findings);
        });
        if is_undecodable {
            let message = "the stored configuration of the backup cannot be decoded, which refuses every update of the Seed";
            findings.invalid(self.undecodable, Self::place(), message).help(format!(
                "correct it while the webhook of provider-{} is disabled",
                self.class()
            ));
        }
        decoded
    }

    fn decode<T: DeserializeOwned + Default>(
        &self,
        component: &Component<'_, '_>,
        documents: &Documents<'_>,
        is_strict: bool,
        findings: &mut Findings,
    ) -> Option<T> {
        let Some(document) = self.document(documents) else {
            return Some(T::default());
        };
        let failure =
            Failure { error: ErrorType::Invalid, field: Self::place(), kind: self.undecodable };
        if is_strict {
            component.decode(&document, &failure, findings)
        } else {
            component.decode_leniently(&document, &failure, findings)
        }
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
