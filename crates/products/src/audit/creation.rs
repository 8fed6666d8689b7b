// SPDX-License-Identifier: Apache-2.0
//! Findings that would refuse a stored object if it were created again.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::object::is_same;
use super::{AsNew, Audited, Auditor};
use garden_gate_core::admission::{Finding, Kind, Review, Verdict};
use garden_gate_core::garden::{ObjectKey, Snapshot};
use garden_gate_core::policies::Allowance;

/// Findings that only matter for new objects.
///
/// Stored profiles usually have expired versions, and other rules check their gaps.
const ABOUT_NEWS: [&str; 3] = [
    "advice/minor-gap",
    "cloudprofile/new-version-expired",
    "namespacedcloudprofile/new-version-expired",
];

impl Auditor<'_> {
    /// Judges an object as a new one, without the parts that only the system writes.
    ///
    /// Refusals and undetermined checks count only if they remain when the scheduler chooses another seed.
    pub(super) fn judge_as_new(
        &self,
        key: &ObjectKey,
        stored: &RawValue,
        allowance: &Allowance,
        audited: &mut Audited,
    ) -> Review {
        let without = self.without(key);
        let new = AsNew::of(key.kind, stored, &self.garden);
        let mut judge = |object: &RawValue| {
            let request = self.request(key, object, false);
            let by = (self.anew, allowance);
            let mut made = self.judge_with_policies(by, &request, (&without, audited));
            made.findings.retain(|it| !is_about_news(it));
            made.findings.iter_mut().for_each(|it| new.locate(it));
            made
        };
        let made = judge(&new.object);
        let may_move = key.kind == Kind::Shoot && made.verdict() != Verdict::Allowed;
        let unscheduled = may_move.then(|| new.unscheduled()).flatten();
        match unscheduled.map(|object| judge(&object)) {
            Some(other) if is_contained(&other, &made) => other,
            _ => made,
        }
    }

    /// Returns the garden without an object, which its ResourceQuotas count.
    fn without(&self, key: &ObjectKey) -> Snapshot {
        let without = self.garden.without([key.clone()]);
        if key.namespace.is_empty() || !without.knows_of(Kind::ResourceQuota) {
            return without;
        }
        without.with_counted(&BTreeMap::from([((key.namespace.clone(), key.kind), -1)]))
    }
}

/// Reports whether a finding only matters for new objects.
pub(super) fn is_about_news(finding: &Finding) -> bool {
    ABOUT_NEWS.contains(&finding.finding)
}

/// Reports whether a review has no finding and no undetermined check that `other` lacks.
pub(super) fn is_contained(review: &Review, other: &Review) -> bool {
    let is_known = |it: &Finding| other.findings.iter().any(|known| is_same(known, it));
    let mut undetermined = review.undetermined.iter();
    review.findings.iter().all(is_known) && undetermined.all(|it| other.undetermined.contains(it))
}
