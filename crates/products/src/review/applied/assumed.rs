// SPDX-License-Identifier: Apache-2.0
//! Old states that are manifests: the objects that they were stored as are unknown.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, from_str};

use super::LastApplied;
use super::last::has_kept_fields;
use garden_gate_core::admission::{Finding, Kind, Review, Undetermined};
use garden_gate_core::stored::fill_in_once;
use garden_gate_model::api::GardenerVersion;

/// Both states of a changed manifest, as far as an API server stores them.
pub(in crate::review) struct AssumedStates {
    /// The old state, with the fields that Gardener fills in on CREATE.
    pub(in crate::review) old: Box<RawValue>,
    /// The new state, applied to the old one.
    pub(in crate::review) new: Box<RawValue>,
    /// The JSON pointers of fields whose stored values may be different.
    assumed: Vec<String>,
}

impl AssumedStates {
    /// Returns the states of a manifest and of the one `before`; `None` if an API server stores both unchanged.
    pub(in crate::review) fn of(
        kind: Kind,
        (before, manifest): (&RawValue, &Value),
        created: (&str, GardenerVersion),
    ) -> Option<Self> {
        let before: Value = from_str(before.get()).ok()?;
        let mut old = before.clone();
        let assumed = fill_in_once(kind, (&mut old, manifest), created);
        if assumed.is_empty() && !has_kept_fields(&before) {
            return None;
        }
        let new = LastApplied::before(Some(before), None).merge(&old, manifest);
        Some(Self { old: to_raw_value(&old).ok()?, new: to_raw_value(&new).ok()?, assumed })
    }

    /// Replaces findings about assumed values by undetermined results.
    pub(in crate::review) fn weaken(&self, review: &mut Review) {
        let is_assumed = |finding: &Finding| self.assumed.contains(&finding.pointer);
        let assumed = review.findings.extract_if(.., |it| is_assumed(it));
        review.undetermined.extend(assumed.map(|finding| Undetermined {
            level: finding.level,
            would_deny: finding.would_deny,
            ..Undetermined::new(
                finding.rule,
                finding.field,
                "the manifests lack the stored value, which Gardener fills in on CREATE; name a garden that contains the object, with --garden or --live".to_owned(),
            )
        }));
    }
}
