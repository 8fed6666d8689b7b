// SPDX-License-Identifier: Apache-2.0
//! A run: random requests in a garden, with compared responses.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use garden_gate_core::config::Level;
use garden_gate_model::api::extensions::Extension;
use serde_json::{Value, json};

use crate::parity::case::Case;
use crate::parity::compare::{Difference, What, differences, judge_after};
use crate::parity::corpus::Corpus;
use crate::parity::known::Retrieval;
use crate::parity::landscape::Landscape;
use crate::parity::ours::{Gate, Ours};
use crate::parity::requests::Requests;
use crate::parity::server::Servers;
use crate::parity::shrink::shrink;
use crate::parity::theirs::{Theirs, ask};
use crate::random::Random;

/// Number of requests in one state of the garden.
const ROUND: u64 = 1_000;
/// The same if most requests are inputs of the fuzz target, and about objects that remain.
const ROUND_OF_INPUTS: u64 = 20_000;
/// Number of random old states in it.
const OLD_STATES: u64 = 60;
/// Maximum number of reasons to refuse an input that is sent: more would hide differences.
const MOST_REASONS: usize = 2;
/// Maximum number of changes that are undone until an input has few reasons.
const UNDONE: usize = 10;
/// Maximum number of parallel requests to a server.
const AT_ONCE: usize = 8;
/// Maximum number of differences that are shrunk, which takes a second each.
const SHRUNK: usize = 100;

/// A kind of difference in a run.
pub(crate) struct Shown {
    pub(crate) times: usize,
    /// The smallest request with the difference.
    pub(crate) asked: Arc<Asked>,
}

/// A request with both responses.
pub(crate) struct Asked {
    pub(crate) case: Case,
    pub(crate) ours: Ours,
    pub(crate) theirs: Theirs,
}

impl Asked {
    pub(crate) fn differences(&self) -> BTreeSet<Difference> {
        differences(&self.case, &self.ours, &self.theirs)
    }
}

/// Counts of requests of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    asked: usize,
    allowed: usize,
    /// Refused by Gardener and allowed by garden-gate, as announced by `review`.
    announced: usize,
    /// The same, not announced.
    allowed_here: usize,
    /// Refused by garden-gate, or undetermined, and allowed by Gardener.
    refused_here: usize,
    stored_differently: usize,
    /// Other differences, such as a cause that only one of them names.
    other: usize,
}

impl Count {
    /// Counts a request with its differences.
    fn count(&mut self, is_allowed: bool, found: &BTreeSet<Difference>) {
        self.asked += 1;
        self.allowed += usize::from(is_allowed);
        if found.iter().any(|it| it.announced.is_some()) {
            self.announced += 1;
            return;
        }
        match found.first().map(|it| it.what) {
            None => {}
            Some(What::AllowedHere) => self.allowed_here += 1,
            Some(What::RefusedHere | What::UndeterminedHere) => self.refused_here += 1,
            Some(What::Stored) => self.stored_differently += 1,
            Some(_) => self.other += 1,
        }
    }

    /// Adds the requests of another kind.
    pub(crate) fn add(&mut self, other: &Count) {
        self.asked += other.asked;
        self.allowed += other.allowed;
        self.announced += other.announced;
        self.allowed_here += other.allowed_here;
        self.refused_here += other.refused_here;
        self.stored_differently += other.stored_differently;
        self.other += other.other;
    }

    /// Returns the numbers in the order of the columns of the table.
    pub(crate) fn numbers(&self) -> [usize; 7] {
        [
            self.asked,
            self.allowed,
            self.announced,
            self.allowed_here,
            self.refused_here,
            self.stored_differently,
            self.other,
        ]
    }
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) counts: BTreeMap<(String, String), Count>,
    /// Requests that never reach admission, such as one with an existing name.
    pub(crate) left_out: usize,
    /// Requests without a verdict by the cause of a known panic of Gardener.
    pub(crate) panics: BTreeMap<&'static str, usize>,
    /// Requests that Gardener accepts and a webhook of an extension refuses.
    pub(crate) refused_by_webhook: usize,
    pub(crate) differences: BTreeMap<Difference, Shown>,
    shrunk: usize,
    /// The gardens with their cases in the recorded format, if requested.
    pub(crate) gardens: Vec<Value>,
}

/// A garden with its servers.
pub(crate) struct Run<'a> {
    pub(crate) servers: &'a Servers,
    pub(crate) corpus: &'a Corpus,
    /// Requests that are sent first, and then changed; without them, all requests are random.
    pub(crate) inputs: &'a [Case],
    /// The recorded garden.
    pub(crate) garden: &'a Value,
    pub(crate) seed: u64,
    pub(crate) records: bool,
    pub(crate) known: &'a [Retrieval],
    /// The extensions whose configurations are changed; none for Gardener itself.
    pub(crate) extensions: &'a [&'static Extension],
}

impl Run<'_> {
    /// Sends `cases` random requests about a stored garden.
    pub(crate) async fn random(&self, mut landscape: Landscape, cases: u64) -> Outcome {
        let kept = landscape.manifests().len();
        let mut outcome = Outcome::default();
        let mut number = 0;
        let size = match self.inputs {
            [] => ROUND,
            _ => ROUND_OF_INPUTS,
        };
        let inputs = self.reduced_inputs(&landscape);
        while number < cases {
            let end = cases.min(number + size);
            self.add_old_states(&mut landscape, number / size).await;
            self.round(&landscape, &inputs, number..end, &mut outcome).await;
            number = end;
            landscape.remove_from(self.servers, kept).await;
            crate::parity::say(&format!(
                "{number} requests, {} kinds of difference",
                outcome.differences.len()
            ));
        }
        outcome
    }

    async fn add_old_states(&self, landscape: &mut Landscape, round: u64) {
        let requests = self.requests();
        for index in 0..OLD_STATES {
            let number = round * OLD_STATES + index;
            let Some(case) = requests.valid(number, &format!("o{round}-{index}")) else {
                continue;
            };
            let theirs = ask(self.servers, landscape, &case).await;
            let Some(stored) = theirs.stored else {
                continue;
            };
            let manifest = requests.old_state(number, stored);
            // Objects that static validation refuses cannot be stored.
            let _is_refused = landscape.add(self.servers, &manifest).await.is_err();
        }
        // No event signals that the server has received all stored objects.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }

    async fn round(
        &self,
        landscape: &Landscape,
        inputs: &[Case],
        numbers: std::ops::Range<u64>,
        outcome: &mut Outcome,
    ) {
        let mut garden =
            json!({"config": self.garden["config"], "manifests": landscape.manifests()});
        let gate = Gate::new(&garden);
        let manifests = landscape.manifests();
        let cases = numbers.filter_map(|it| self.case(&gate, inputs, it, manifests));
        let asked = stream::iter(cases).map(|case| self.asked(landscape, &gate, case));
        let mut asked = std::pin::pin!(asked.buffered(AT_ONCE * self.servers.count()));
        let mut new = Vec::new();
        let mut recorded = Vec::new();
        while let Some(asked) = asked.next().await {
            if !asked.theirs.is_verdict() {
                outcome.left_out += 1;
                continue;
            }
            if let Some(cause) = asked.theirs.known_panic(&asked.case) {
                *outcome.panics.entry(cause).or_default() += 1;
                continue;
            }
            if self.records {
                recorded.push(json!({"id": asked.case.id, "request": asked.case.request, "expect": asked.theirs.expect(&asked.case)}));
            }
            outcome.add(asked, &mut new);
        }
        new.retain(|it| it.announced.is_none() && !self.known.iter().any(|known| known.is(it)));
        for difference in new {
            if outcome.shrunk < SHRUNK {
                outcome.shrunk += 1;
                self.shrink(landscape, &gate, &difference, outcome).await;
            }
        }
        if self.records {
            garden["cases"] = json!(recorded);
            outcome.gardens.push(garden);
        }
    }

    /// Returns the inputs as requests that garden-gate refuses for few reasons.
    fn reduced_inputs(&self, landscape: &Landscape) -> Vec<Case> {
        let manifests = landscape.manifests();
        let gate = Gate::new(&json!({"config": self.garden["config"], "manifests": manifests}));
        let inputs = self.inputs.iter().enumerate();
        let reduced = inputs.filter_map(|(number, input)| {
            reduced(&gate, input.among(manifests)?, &mut Random::of_case(number as u64))
        });
        reduced.collect()
    }

    /// Returns an input, or a changed one; a random request if there are no inputs, or garden-gate refuses it for many reasons.
    fn case(&self, gate: &Gate, inputs: &[Case], number: u64, manifests: &[Value]) -> Option<Case> {
        let requests = self.requests();
        let after = requests
            .after(inputs, number, manifests)
            .and_then(|it| reduced(gate, it, &mut Random::of_case(number)));
        after.or_else(|| requests.request(number, manifests))
    }

    async fn asked(&self, landscape: &Landscape, gate: &Gate, case: Case) -> Asked {
        let theirs = ask(self.servers, landscape, &case).await;
        let ours = judge_after(gate, &case, &theirs);
        Asked { case, ours, theirs }
    }

    async fn shrink(
        &self,
        landscape: &Landscape,
        gate: &Gate,
        difference: &Difference,
        outcome: &mut Outcome,
    ) {
        let Some(shown) = outcome.differences.get_mut(difference) else {
            return;
        };
        let causes = &shown.asked.theirs.findings;
        let shows = async |case: &Case| {
            let asked = self.asked(landscape, gate, case.clone()).await;
            // A request that is refused for other reasons shows another difference.
            let is_alike = asked.theirs.is_verdict() && asked.theirs.findings.is_subset(causes);
            is_alike && asked.differences().contains(difference)
        };
        let small = shrink(shown.asked.case.clone(), shows).await;
        shown.asked = Arc::new(self.asked(landscape, gate, small).await);
    }

    fn requests(&self) -> Requests<'_> {
        Requests { seed: self.seed, corpus: self.corpus, extensions: self.extensions }
    }
}

/// Undoes changes until garden-gate refuses a request for few reasons, if at all; `None` if that needs too many.
fn reduced(gate: &Gate, mut case: Case, random: &mut Random) -> Option<Case> {
    for _ in 0..UNDONE {
        if gate.judge(&case).of_level(Level::Deny).count() <= MOST_REASONS {
            return Some(case);
        }
        case = Requests::undone(&case, random)?;
    }
    None
}

impl Outcome {
    /// Counts a request; adds new kinds of difference to `new`.
    fn add(&mut self, asked: Asked, new: &mut Vec<Difference>) {
        let found = asked.differences();
        let Asked { case, theirs, .. } = &asked;
        let operation = match case.sub_resource() {
            "" => case.operation(),
            sub_resource => sub_resource,
        };
        let key = (case.kind().to_owned(), operation.to_owned());
        let count = self.counts.entry(key).or_default();
        count.count(theirs.is_allowed(), &found);
        self.refused_by_webhook += usize::from(theirs.is_of_webhook());
        let asked = Arc::new(asked);
        for difference in found {
            match self.differences.entry(difference) {
                Entry::Occupied(mut shown) => shown.get_mut().times += 1,
                Entry::Vacant(place) => {
                    new.push(place.key().clone());
                    place.insert(Shown { times: 1, asked: Arc::clone(&asked) });
                }
            }
        }
    }
}
