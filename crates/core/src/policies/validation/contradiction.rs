// SPDX-License-Identifier: Apache-2.0
//! Label selectors that no object satisfies.

use std::collections::{BTreeMap, BTreeSet};

use garden_gate_model::api::LabelSelector;

/// Returns the label whose requirements contradict each other in a valid selector.
///
/// `existing` is a label that all objects have.
pub(super) fn contradiction<'a>(
    selector: &'a LabelSelector,
    existing: Option<&str>,
) -> Option<&'a str> {
    let mut labels: BTreeMap<&str, Requirements<'_>> = BTreeMap::new();
    for (key, value) in &selector.match_labels {
        labels.entry(key).or_default().allow([value.as_str()]);
    }
    for (key, operator, values) in selector.expressions() {
        let requirements = labels.entry(key).or_default();
        let values = values.iter().map(String::as_str);
        match operator {
            "In" => requirements.allow(values),
            "NotIn" => requirements.forbidden.extend(values),
            "Exists" => requirements.exists = true,
            _ => requirements.is_absent = true,
        }
    }
    let mut labels = labels.into_iter();
    let found = labels.find(|(key, it)| it.contradict(existing == Some(*key)));
    found.map(|(key, _)| key)
}

/// All requirements on one label.
#[derive(Default)]
struct Requirements<'a> {
    /// Absent means any value.
    allowed: Option<BTreeSet<&'a str>>,
    forbidden: BTreeSet<&'a str>,
    exists: bool,
    is_absent: bool,
}

impl<'a> Requirements<'a> {
    fn allow(&mut self, values: impl IntoIterator<Item = &'a str>) {
        let values: BTreeSet<&str> = values.into_iter().collect();
        self.allowed = Some(match &self.allowed {
            Some(allowed) => allowed.intersection(&values).copied().collect(),
            None => values,
        });
    }

    fn contradict(&self, always_exists: bool) -> bool {
        let allowed = self.allowed.as_ref();
        let has_no_value = allowed.is_some_and(|it| it.is_subset(&self.forbidden));
        let exists = always_exists || self.exists || allowed.is_some();
        has_no_value || (self.is_absent && exists)
    }
}
