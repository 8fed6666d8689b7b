//! Which seeds the scheduler would exclude, and why, in its order.
//!
//! Mirrors DetermineSeed in `pkg/scheduler/controller/shoot/reconciler.go`, which visits all seeds, and the refusal of the binding that follows. Here seeds are visited in
//! groups of those that are alike, and in a group only those with the labels that are asked for, unless what excludes one depends on
//! which others are left.

mod filters;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub(in crate::rules::shoot) use self::filters::Reason;
use self::filters::{FILTERS, Left, LooksAt};
use crate::config::Strategy;
use crate::garden::{AlikeSeeds, Seeds};
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

/// If the scheduler finds no seed, the first `count` of all with their reasons; `None` if it finds one.
pub(in crate::rules::shoot) fn excluded<'a>(
    scheduling: &Scheduling<'a>,
    seeds: &'a Seeds,
    mut by_name: impl Iterator<Item = &'a Seed>,
    count: usize,
) -> Option<Vec<Excluded<'a>>> {
    match outlook(scheduling, seeds) {
        Outlook::Taken => None,
        Outlook::Depends => none_is_left(scheduling, by_name, count),
        Outlook::Excluded(bounds) => {
            let first: Vec<&'a Seed> = by_name.by_ref().take(count).collect();
            let known = first.iter().map(|seed| bounds.sure(scheduling, seed));
            let known: Option<Vec<_>> = known.collect();
            known.or_else(|| none_is_left(scheduling, first.into_iter().chain(by_name), count))
        }
    }
}

/// What is known of all seeds before it is worked out which are left at what point.
enum Outlook<'a> {
    /// One is not out of the question, whatever others there are.
    Taken,
    /// Each is, whatever others there are.
    Excluded(Bounds<'a>),
    /// Some are or are not, depending on others.
    Depends,
}

/// What holds for the seeds that are left, at any point: of both the least and the most.
struct Bounds<'a> {
    lenient: Left<'a>,
    strict: Left<'a>,
}

impl<'a> Bounds<'a> {
    fn of(shoot: &Shoot, seeds: &'a Seeds) -> Self {
        let is_served = shoot.domain().is_some_and(|it| seeds.any_serves(it));
        Self {
            lenient: Left {
                seeds: Vec::new(),
                any_shares_zones: OnceCell::from(false),
                any_serves_domain: OnceCell::from(false),
            },
            strict: Left {
                seeds: seeds.groups().filter_map(AlikeSeeds::example).collect(),
                any_shares_zones: OnceCell::new(),
                any_serves_domain: OnceCell::from(is_served),
            },
        }
    }

    /// A seed with its first reason; `None` if that depends on others.
    fn sure(&self, scheduling: &Scheduling<'a>, seed: &'a Seed) -> Option<Excluded<'a>> {
        let reason = scheduling.reason(seed, &self.strict)?;
        let least = scheduling.reason(seed, &self.lenient)?;
        (reason == least).then_some(Excluded { seed, reason })
    }
}

impl<'a> Scheduling<'a> {
    /// The first reason against a seed.
    fn reason(&self, seed: &'a Seed, left: &Left<'_>) -> Option<Reason<'a>> {
        let mut filters = FILTERS.iter();
        filters.find_map(|(_, filter)| filter(self, seed, left))
    }

    /// Whether there is a reason against all seeds that are alike.
    fn excludes(&self, alike: &'a AlikeSeeds, left: &Left<'_>) -> bool {
        let mut filters = FILTERS.iter().filter(|(at, _)| *at == LooksAt::Kind);
        alike
            .example()
            .is_none_or(|seed| filters.any(|(_, filter)| filter(self, seed, left).is_some()))
    }
}

fn outlook<'a>(scheduling: &Scheduling<'a>, seeds: &'a Seeds) -> Outlook<'a> {
    let bounds = Bounds::of(scheduling.shoot, seeds);
    let selectors = [
        &scheduling.shoot.spec.seed_selector,
        &scheduling.profile.seed_selector,
    ];
    let selectors: Vec<&SeedSelector> = selectors.into_iter().flatten().collect();
    let mut depends = false;
    for alike in seeds.groups() {
        for (place, seed) in alike.perhaps_selected(&selectors).enumerate() {
            if scheduling.reason(seed, &bounds.strict).is_none() {
                return Outlook::Taken;
            }
            // Most Shoots are taken by the first seed, so that nothing is asked about all of its kind before.
            if place == 0 && scheduling.excludes(alike, &bounds.lenient) {
                break;
            }
            depends |= scheduling.reason(seed, &bounds.lenient).is_none();
        }
    }
    match depends {
        true => Outlook::Depends,
        false => Outlook::Excluded(bounds),
    }
}

/// As [`excluded`], by going through all seeds, filter by filter.
fn none_is_left<'a>(
    scheduling: &Scheduling<'a>,
    seeds: impl Iterator<Item = &'a Seed>,
    count: usize,
) -> Option<Vec<Excluded<'a>>> {
    let mut candidates: Vec<(&'a Seed, Option<Reason<'a>>)> =
        seeds.map(|seed| (seed, None)).collect();
    for (_, filter) in FILTERS {
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
    let mut excluded: Vec<_> = excluded.collect::<Option<_>>()?;
    excluded.truncate(count);
    Some(excluded)
}
