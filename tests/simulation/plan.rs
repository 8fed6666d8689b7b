// SPDX-License-Identifier: Apache-2.0
//! The actions of a run, which follow from its seed.

use std::time::Duration;

use super::faults::{OUTAGES, Outage};
use super::random::Random;
use super::reviews::{OPERATIONS, Review};
use super::{settings, world};
use garden_gate_core::admission::EntryPoint;
use garden_gate_model::api::Kind;

/// The number of seconds by which a wrong clock jumps.
pub(super) const YEAR: i64 = 365 * 86_400;
/// The number of actions of a run.
const ACTIONS: usize = 40;

#[derive(Clone, Debug)]
pub(super) enum Action {
    Put(usize, usize),
    Delete(usize),
    /// A review by the replica at an index.
    Review(usize, Review),
    /// An outage of the API server for some time.
    Outage(Outage, Duration),
    /// All watches end.
    BreakWatches,
    /// Old resource versions expire.
    Compact,
    /// The replica at an index is restarted.
    Restart(usize),
    /// The permission to read a kind is withdrawn or granted again.
    ToggleRight(Kind),
    /// A kind is no longer served, or served again.
    ToggleServed(Kind),
    /// The permission to create SubjectAccessReviews is withdrawn or granted again.
    ToggleReviews,
    /// A user gets or loses a custom verb.
    ToggleVerb(&'static str, &'static str),
    /// The clock of a replica gets an offset in seconds.
    Clock(usize, i64),
    /// All replicas load the configuration and the policies with this number.
    Reload(usize),
}

/// Returns the actions with the time before each.
pub(super) fn plan(random: &mut Random) -> Vec<(Duration, Action)> {
    let pace = *random.pick(&[50, 400, 3_000, 9_000]);
    let action = |random: &mut Random| {
        let wait = match random.below(4) {
            0 => 0,
            1 => random.below(20),
            _ => random.below(pace),
        };
        (Duration::from_millis(wait as u64), action(random))
    };
    (0..ACTIONS).map(|_| action(random)).collect()
}

fn action(random: &mut Random) -> Action {
    let replica = random.below(3);
    match random.below(100) {
        0..25 => Action::Put(random.below(world::COUNT), random.below(world::VARIANTS)),
        25..32 => Action::Delete(random.below(world::COUNT)),
        32..74 => Action::Review(replica, review(random)),
        74..78 => {
            let duration = *random.pick(&[200, 3_000, 20_000, 90_000]);
            Action::Outage(*random.pick(&OUTAGES), Duration::from_millis(duration))
        }
        78..81 => Action::BreakWatches,
        81..84 => Action::Compact,
        84..87 => Action::Restart(replica),
        87..89 => Action::ToggleRight(kind(random)),
        89 => Action::ToggleServed(kind(random)),
        90 => Action::ToggleReviews,
        91..95 => Action::ToggleVerb(one_of(&world::USERS, random), one_of(&world::VERBS, random)),
        95..97 => {
            let seconds = *random.pick(&[-YEAR, -240, -20, 0, 0, 20, 240, YEAR]);
            Action::Clock(replica, seconds)
        }
        _ => Action::Reload(random.below(settings::COUNT)),
    }
}

fn kind(random: &mut Random) -> Kind {
    let kinds: Vec<Kind> = Kind::watched().collect();
    *random.pick(&kinds)
}

pub(super) fn review(random: &mut Random) -> Review {
    Review {
        entry_point: *random.pick(&[
            EntryPoint::Validate,
            EntryPoint::Validate,
            EntryPoint::Mutate,
        ]),
        operation: *random.pick(&OPERATIONS),
        object: random.below(world::COUNT),
        variant: random.below(world::VARIANTS),
        old: random.below(world::VARIANTS),
        user: one_of(&world::USERS, random),
        timeout: *random.pick(&[None, None, Some(1_000), Some(5_000), Some(30_000)]),
    }
}

fn one_of(names: &[&'static str], random: &mut Random) -> &'static str {
    names[random.below(names.len())]
}
