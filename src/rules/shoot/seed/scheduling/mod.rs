//! Which seeds the scheduler would exclude, and why, in its order.
//!
//! Mirrors DetermineSeed in `pkg/scheduler/controller/shoot/reconciler.go`, and the refusal of the binding that follows.

mod filters;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub(in crate::rules::shoot) use self::filters::Reason;
use self::filters::{FILTERS, Left};
use crate::config::Strategy;
use crate::model::{CloudProfileSpec, Networking, Seed, SeedSelector, Shoot, Tolerated};

/// What the scheduler looks at besides seeds.
pub(in crate::rules::shoot) struct Scheduling<'a> {
    pub shoot: &'a Shoot,
    pub wanted: Wanted<'a>,
    pub profile: &'a CloudProfileSpec,
    /// The Project's name; absent if not known.
    pub project: Option<&'a str>,
    /// Absent if not known.
    pub strategy: Option<Strategy>,
    /// How many Shoots are on a seed; absent if not known.
    pub used: &'a dyn Fn(&str) -> Option<usize>,
}

/// What a Shoot asks of every seed.
pub(in crate::rules::shoot) struct Wanted<'a> {
    /// The zones of its pools.
    zones: BTreeSet<&'a str>,
    networking: Cow<'a, Networking>,
    tolerated: Tolerated<'a>,
    /// Whether its seed selector can be read.
    selects: bool,
    /// Whether that of its profile can be.
    is_offered: bool,
}

impl<'a> Wanted<'a> {
    pub(in crate::rules::shoot) fn of(shoot: &'a Shoot, profile: &CloudProfileSpec) -> Self {
        let workers = &shoot.spec.provider.workers;
        let zones = workers.iter().flat_map(|worker| &worker.zones);
        let is_readable = |selector: &Option<SeedSelector>| {
            let selector = selector.as_ref();
            selector.is_some_and(SeedSelector::is_readable)
        };
        Self {
            zones: zones.map(String::as_str).collect(),
            networking: shoot.networking(),
            tolerated: Tolerated::by(&shoot.spec.tolerations),
            selects: is_readable(&shoot.spec.seed_selector),
            is_offered: is_readable(&profile.seed_selector),
        }
    }
}

/// A seed that is out of the question, and why.
pub(in crate::rules::shoot) struct Excluded<'a> {
    pub seed: &'a Seed,
    pub reason: Reason<'a>,
}

/// If the scheduler finds no seed, all seeds with their reasons; `None` if it finds one.
pub(in crate::rules::shoot) fn excluded<'a>(
    scheduling: &Scheduling<'a>,
    seeds: impl Iterator<Item = &'a Seed>,
) -> Option<Vec<Excluded<'a>>> {
    let all = Left {
        seeds: seeds.collect(),
        ..Left::default()
    };
    // The more seeds are left, the more can exclude another one.
    let is_taken = |seed: &&Seed| {
        FILTERS
            .iter()
            .all(|it| it(scheduling, seed, &all).is_none())
    };
    if all.seeds.iter().any(is_taken) {
        return None;
    }
    let seeds = all.seeds.iter();
    let mut candidates: Vec<(&'a Seed, Option<Reason<'a>>)> =
        seeds.map(|seed| (*seed, None)).collect();
    for filter in FILTERS {
        let open = candidates.iter().filter(|(_, reason)| reason.is_none());
        let left = Left {
            seeds: open.map(|(seed, _)| *seed).collect(),
            ..Left::default()
        };
        for (seed, reason) in &mut candidates {
            if reason.is_none() {
                *reason = filter(scheduling, seed, &left);
            }
        }
    }
    let candidates = candidates.into_iter();
    let excluded = candidates.map(|(seed, reason)| reason.map(|reason| Excluded { seed, reason }));
    excluded.collect()
}
