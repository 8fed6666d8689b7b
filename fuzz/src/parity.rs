// SPDX-License-Identifier: Apache-2.0
//! The requests of `tests/cluster/parity`, and the responses of garden-gate, without the server.
#![expect(dead_code, reason = "the rest is for a live server")]

#[path = "../../tests/cluster/parity/case.rs"]
pub(crate) mod case;
#[path = "../../tests/cluster/parity/change.rs"]
mod change;
#[path = "../../tests/cluster/parity/configurations.rs"]
mod configurations;
#[path = "../../tests/cluster/parity/corpus.rs"]
mod corpus;
#[path = "../../tests/cluster/parity/garden.rs"]
mod garden;
#[path = "../../tests/cluster/parity/ours.rs"]
mod ours;
#[path = "../../tests/cluster/parity/requests.rs"]
mod requests;
#[path = "../../tests/cluster/parity/shrink.rs"]
mod shrink;
#[path = "../../tests/cluster/parity/values.rs"]
mod values;

use std::sync::LazyLock;

use garden_gate_core::config::Level;
use libfuzzer_sys::Corpus;
use serde_json::Value;

use crate::random::Random;
use case::Case;
use ours::Gate;
use requests::Requests;

/// The garden of all requests.
struct Garden {
    gate: Gate,
    corpus: corpus::Corpus,
    manifests: Vec<Value>,
}

static GARDEN: LazyLock<Garden> = LazyLock::new(|| {
    let (mut garden, corpus) = garden::garden();
    let manifests = garden::states();
    garden["manifests"] = manifests.clone().into();
    Garden { gate: Gate::new(&garden), corpus, manifests }
});

/// Maximum number of reasons to deny a request that is kept: more would hide differences.
const MOST_REASONS: usize = 2;

/// Judges a request, which must not panic, and checks that the verdict has a reason; keeps requests with few reasons.
pub(crate) fn check(data: &[u8]) -> Corpus {
    let Some(case) = parsed(data) else {
        return Corpus::Reject;
    };
    let ours = GARDEN.gate.judge(&case);
    ours.assert_reason();
    if ours.of_level(Level::Deny).count() <= MOST_REASONS { Corpus::Keep } else { Corpus::Reject }
}

/// Returns a request that differs a little from another one, or now and then a new one.
pub(crate) fn mutated(data: &[u8], random: &mut Random) -> Vec<u8> {
    let Garden { corpus, manifests, .. } = &*GARDEN;
    let requests = Requests { seed: 0, corpus, extensions: &[] };
    let is_new = random.below(20) == 0;
    let case = match parsed(data).filter(|_| !is_new) {
        Some(case) => Some(requests.next_to(&case, manifests, random)),
        None => requests.draw(String::new(), manifests, random),
    };
    case.map(|it| it.request.to_string().into_bytes()).unwrap_or_default()
}

fn parsed(data: &[u8]) -> Option<Case> {
    let request: Value = serde_json::from_slice(data).ok()?;
    request["kind"].is_object().then(|| Case { id: "input".to_owned(), request, text: None })
}
