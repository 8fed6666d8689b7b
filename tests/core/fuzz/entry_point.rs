// SPDX-License-Identifier: Apache-2.0
//! Random reviews at both endpoints.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use garden_gate_core::admission::{EntryPoint, Request, Verdict};

use crate::fuzz::json;
use crate::fuzz::run::{Amount, run};
use crate::fuzz::worlds::PLACES;
use crate::random::Random;

/// Returns the garden of a case, one of its recorded reviews, and one of another garden.
fn of_case(random: &mut Random) -> (usize, &'static str, &'static str) {
    let [place, elsewhere] = [(); 2].map(|()| random.below(PLACES.len()));
    let own = random.pick(&TEXTS[place]);
    let other = random.pick(&TEXTS[elsewhere]);
    (place, own, other)
}

/// The reviews of every garden as text.
static TEXTS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let texts =
        |reviews: &Vec<serde_json::Value>| reviews.iter().map(ToString::to_string).collect();
    PLACES.iter().map(|place| texts(&place.reviews)).collect()
});

fn make(case: u64) -> Vec<u8> {
    let mut random = Random::of_case(case);
    let (_, own, other) = of_case(&mut random);
    json::mutated(&mut random, own, other)
}

/// Judges a body at both endpoints; returns false if it is no review.
fn attempt(case: u64, body: &[u8]) -> bool {
    let (place, ..) = of_case(&mut Random::of_case(case));
    let request = match Request::from_review(body) {
        Ok(request) => request,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    for entry_point in [EntryPoint::Mutate, EntryPoint::Validate] {
        let review = PLACES[place].judge(entry_point, &request);
        let verdict = review.verdict();
        assert!(
            review.patch.is_empty()
                || (entry_point, verdict) == (EntryPoint::Mutate, Verdict::Allowed)
        );
        assert!(verdict != Verdict::Denied || !review.findings.is_empty());
    }
    true
}

#[test]
fn mutated_reviews_are_explained_or_judged() {
    let amount = Amount::of(20_000, 40, 1);
    let judged = AtomicU64::new(0);
    let done = run("door", amount, make, |case, body| {
        judged.fetch_add(attempt(case, body).into(), Ordering::Relaxed);
    });
    // Otherwise the mutations are too coarse to pass the parser.
    let judged = judged.into_inner();
    assert!(judged * 2 > done, "only {judged} of {done} were reviews");
}
