//! A run: random requests in a garden, with compared responses.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use garden_gate::api::extensions::Extension;
use serde_json::{Value, json};

use crate::parity::case::Case;
use crate::parity::compare::{Difference, differences};
use crate::parity::corpus::Corpus;
use crate::parity::known::Retrieval;
use crate::parity::landscape::Landscape;
use crate::parity::ours::{Gate, Ours};
use crate::parity::requests::Requests;
use crate::parity::server::Servers;
use crate::parity::shrink::shrink;
use crate::parity::theirs::{Theirs, ask};

/// Number of requests in one state of the garden.
const ROUND: u64 = 1_000;
/// Number of random old states in it.
const OLD_STATES: u64 = 60;
/// Maximum number of parallel requests.
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
    pub(crate) asked: usize,
    pub(crate) allowed: usize,
    /// Refused by Gardener and allowed by garden-gate, as announced by `review`.
    pub(crate) announced: usize,
    pub(crate) differing: usize,
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) counts: BTreeMap<(String, String), Count>,
    /// Requests that never reach admission, such as one with an existing name.
    pub(crate) left_out: usize,
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
        while number < cases {
            let end = cases.min(number + ROUND);
            self.add_old_states(&mut landscape, number / ROUND).await;
            self.round(&landscape, number..end, &mut outcome).await;
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
        numbers: std::ops::Range<u64>,
        outcome: &mut Outcome,
    ) {
        let mut garden =
            json!({"config": self.garden["config"], "manifests": landscape.manifests()});
        let gate = Gate::new(&garden);
        let requests = self.requests();
        let cases = numbers.filter_map(|it| requests.request(it, landscape.manifests()));
        let asked = stream::iter(cases).map(|case| self.asked(landscape, &gate, case));
        let mut asked = std::pin::pin!(asked.buffered(AT_ONCE));
        let mut new = Vec::new();
        let mut recorded = Vec::new();
        while let Some(asked) = asked.next().await {
            if !asked.theirs.is_verdict() {
                outcome.left_out += 1;
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

    async fn asked(&self, landscape: &Landscape, gate: &Gate, case: Case) -> Asked {
        let theirs = ask(self.servers, landscape, &case).await;
        let ours = gate.judge_after(&case, &theirs);
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
        Requests {
            seed: self.seed,
            corpus: self.corpus,
            extensions: self.extensions,
        }
    }
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
        count.asked += 1;
        count.allowed += usize::from(theirs.is_allowed());
        self.refused_by_webhook += usize::from(theirs.is_of_webhook());
        let is_announced = found.iter().any(|it| it.announced.is_some());
        count.announced += usize::from(is_announced);
        count.differing += usize::from(!found.is_empty() && !is_announced);
        let asked = Arc::new(asked);
        for difference in found {
            match self.differences.entry(difference) {
                Entry::Occupied(mut shown) => shown.get_mut().times += 1,
                Entry::Vacant(place) => {
                    new.push(place.key().clone());
                    place.insert(Shown {
                        times: 1,
                        asked: Arc::clone(&asked),
                    });
                }
            }
        }
    }
}
