// SPDX-License-Identifier: Apache-2.0
//! Shrinking of requests that show a difference.

use crate::parity::case::Case;
use crate::parity::change::{general, places, put, remove};
use crate::parity::corpus::is_fixed;

/// Maximum number of requests for one difference.
const TRIES: usize = 300;

/// Removes parts of the request as long as `shows` remains true.
///
/// These are fields of a new object, or changes of an update. Larger parts are removed first.
pub(crate) async fn shrink(case: Case, shows: impl AsyncFn(&Case) -> bool) -> Case {
    let mut case = case;
    if case.text.is_some() || case.request["object"].is_null() {
        return case;
    }
    let mut tries = 0;
    loop {
        let before = case.request["object"].clone();
        for place in candidates(&case) {
            let Some(smaller) = without(&case, &place) else {
                continue;
            };
            if tries == TRIES {
                return case;
            }
            tries += 1;
            if shows(&smaller).await {
                case = smaller;
            }
        }
        if before == case.request["object"] {
            return case;
        }
    }
}

/// Returns removable paths, parents before children, and later items of a list first, so that indexes remain valid.
fn candidates(case: &Case) -> Vec<String> {
    let mut all = places(&case.request["object"]);
    if case.operation() == "UPDATE" {
        all.extend(places(&case.request["oldObject"]));
    }
    all.sort_by(|a, b| a.matches('/').count().cmp(&b.matches('/').count()).then(b.cmp(a)));
    all.dedup();
    all.retain(|place| {
        !is_fixed(&general(place)) && place != "/metadata/name" && place != "/metadata"
    });
    all
}

/// Returns the request without the field or change at a path; `None` if that is the same request.
pub(crate) fn without(case: &Case, place: &str) -> Option<Case> {
    let mut object = case.request["object"].clone();
    let old = case.request["oldObject"].pointer(place);
    match (case.operation(), old) {
        ("UPDATE", Some(old)) if object.pointer(place) == Some(old) => return None,
        ("UPDATE", Some(old)) => put(&mut object, place, old.clone())?,
        _ => remove(&mut object, place).then_some(())?,
    }
    Some(case.with_object(object))
}
