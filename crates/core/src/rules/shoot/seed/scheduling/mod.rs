// SPDX-License-Identifier: Apache-2.0
//! The seeds that the scheduler would exclude, with reasons, in its order.
//!
//! Mirrors DetermineSeed in `pkg/scheduler/controller/shoot/reconciler.go`, and the refusal of the binding that follows.

mod criteria;
mod filters;
pub(super) mod no_seed_accepts;
pub(super) mod scheduler_name_invalid;

pub(crate) use self::criteria::{Scheduling, Wanted};
pub(crate) use self::filters::Reason;
use self::filters::{Candidates, FILTERS};
use garden_gate_model::api::Seed;

/// A seed that is excluded, and the reason.
pub(crate) struct Excluded<'a> {
    pub seed: &'a Seed,
    pub reason: Reason<'a>,
}

/// Returns all seeds with their reasons if the scheduler finds no seed; `None` if it finds one.
pub(crate) fn excluded<'a>(
    scheduling: &Scheduling<'a>,
    seeds: impl Iterator<Item = &'a Seed>,
) -> Option<Vec<Excluded<'a>>> {
    let all = Candidates { seeds: seeds.collect(), ..Candidates::default() };
    // The more seeds remain, the more of them can exclude another one.
    let is_taken = |seed: &&Seed| FILTERS.iter().all(|it| it(scheduling, seed, &all).is_none());
    if all.seeds.iter().any(is_taken) {
        return None;
    }
    let seeds = all.seeds.iter();
    let mut candidates: Vec<(&'a Seed, Option<Reason<'a>>)> =
        seeds.map(|seed| (*seed, None)).collect();
    for filter in FILTERS {
        let open = candidates.iter().filter(|(_, reason)| reason.is_none());
        let left =
            Candidates { seeds: open.map(|(seed, _)| *seed).collect(), ..Candidates::default() };
        for (seed, reason) in &mut candidates {
            if reason.is_none() {
                *reason = filter(scheduling, seed, &left);
            }
        }
    }
    let excluded =
        candidates.into_iter().map(|(seed, reason)| reason.map(|reason| Excluded { seed, reason }));
    excluded.collect()
}
