//! The smallest request that still shows a difference.

use crate::parity::case::Case;
use crate::parity::change::{general, places, put, remove};
use crate::parity::corpus::is_fixed;

/// So often the servers are asked about one difference.
const TRIES: usize = 300;

/// Takes away from the request what can be gone without `shows` becoming false: of a new object what it has, of an update what it
/// changes. Larger parts go first.
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

/// Places that may go, those around others first, and of a list the last first, so that the others keep their place.
fn candidates(case: &Case) -> Vec<String> {
    let mut all = places(&case.request["object"]);
    if case.operation() == "UPDATE" {
        all.extend(places(&case.request["oldObject"]));
    }
    all.sort_by(|a, b| {
        a.matches('/')
            .count()
            .cmp(&b.matches('/').count())
            .then(b.cmp(a))
    });
    all.dedup();
    all.retain(|place| {
        !is_fixed(&general(place)) && place != "/metadata/name" && place != "/metadata"
    });
    all
}

/// The request without what it has or changes at a place; `None` if that is the same request.
fn without(case: &Case, place: &str) -> Option<Case> {
    let mut object = case.request["object"].clone();
    let old = case.request["oldObject"].pointer(place);
    match (case.operation(), old) {
        ("UPDATE", Some(old)) if object.pointer(place) == Some(old) => return None,
        ("UPDATE", Some(old)) => put(&mut object, place, old.clone())?,
        _ => remove(&mut object, place).then_some(())?,
    }
    Some(case.with_object(object))
}
