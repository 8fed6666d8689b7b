// SPDX-License-Identifier: Apache-2.0
//! Recorded responses, compared with garden-gate.

use serde_json::Value;

use crate::parity::case::Case;
use crate::parity::compare::{Difference, differences, judge_after};
use crate::parity::ours::Gate;
use crate::parity::theirs::Theirs;

/// Returns the differences in a family, with the case of each.
pub(crate) fn replay(family: &Value) -> Vec<(Case, Difference)> {
    let mut all = Vec::new();
    for garden in family["gardens"].as_array().unwrap() {
        let gate = Gate::new(garden);
        for recorded in garden["cases"].as_array().unwrap() {
            let case = Case::recorded(recorded);
            let theirs = Theirs::recorded(recorded);
            let found = differences(&case, &judge_after(&gate, &case, &theirs), &theirs);
            all.extend(found.into_iter().map(|difference| (case.clone(), difference)));
        }
    }
    all
}

/// Returns the number of cases in a family.
pub(crate) fn cases(family: &Value) -> usize {
    let gardens = family["gardens"].as_array().unwrap().iter();
    gardens.map(|it| it["cases"].as_array().unwrap().len()).sum()
}
