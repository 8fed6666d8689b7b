// SPDX-License-Identifier: Apache-2.0
//! Version updates by maintenance, without rules: a tenth of a forecast's cost, for many Shoots.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::cause::class;
use super::difference::{Change, Urgency};
use super::simulate::{MOST_RUNS, deletion};
use super::{Class, Part, Profile};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::maintenance::{Outcome, Run, Window, run, runs_at};

/// The version updates of the parts of a Shoot, in order.
#[derive(Debug, Default)]
pub(super) struct VersionUpdates(BTreeMap<Part, Vec<VersionUpdate>>);

/// An update, or a failure of one.
#[derive(Clone, Debug, Eq, PartialEq)]
struct VersionUpdate {
    at: Timestamp,
    from: String,
    to: Option<String>,
    class: Class,
}

impl VersionUpdates {
    /// Simulates the maintenance runs of a defaulted Shoot from `now` to `until`, as if no rule denied them.
    pub(super) fn of(shoot: &Shoot, profile: &Profile, now: Timestamp, until: Timestamp) -> Self {
        let mut updates = Self::default();
        if shoot.metadata.deletion_timestamp.is_some() {
            return updates;
        }
        let until = deletion(shoot).map_or(until, |it| it.min(until));
        let window = Window::of(shoot);
        let mut next = if runs_at(shoot, now) { Some(now) } else { window.first_after(now) };
        let mut current = None;
        for _ in 0..MOST_RUNS {
            let Some(at) = next.filter(|at| *at <= until) else {
                break;
            };
            let shoot = current.as_ref().unwrap_or(shoot);
            let run = run(shoot, &profile.spec, at);
            updates.add(shoot, &run, at);
            if run.changes() {
                current = Some(run.apply(shoot));
                next = window.next_begin(at);
            } else {
                next = profile.next_turn(shoot, at).and_then(|turn| window.first_after(turn));
            }
        }
        updates
    }

    fn add(&mut self, shoot: &Shoot, run: &Run, at: Timestamp) {
        self.add_part(Part::ControlPlane, &run.kubernetes, at);
        for (pool, worker) in run.pools.iter().zip(&shoot.spec.provider.workers) {
            let name = &pool.name;
            if let Some(outcome) = &pool.kubernetes {
                self.add_part(Part::Pool { pool: name.clone() }, outcome, at);
            }
            if let (Some(outcome), Some(image)) = (&pool.image, &worker.machine.image) {
                let (pool, image) = (name.clone(), image.name.clone());
                self.add_part(Part::Image { pool, image }, outcome, at);
            }
        }
    }

    /// Adds an update, or a failure unless it repeats the previous one.
    fn add_part(&mut self, part: Part, outcome: &Outcome, at: Timestamp) {
        let Some(class) = class(outcome) else {
            return;
        };
        let updates = self.0.entry(part).or_default();
        let is_repeated = |last: &VersionUpdate| {
            last.class == Class::NoUpdatePossible
                && class == last.class
                && last.from == outcome.from
        };
        if updates.last().is_some_and(is_repeated) {
            return;
        }
        updates.push(VersionUpdate {
            at: Timestamp::from_second(at.as_second()).unwrap_or(at),
            from: outcome.from.clone(),
            to: outcome.is_updated().then(|| outcome.after().to_owned()),
            class,
        });
    }

    /// Returns the worst change from `before` to these updates; `None` if they are equal.
    pub(super) fn worst_change(&self, before: &Self) -> Option<Change> {
        let parts: BTreeSet<&Part> = before.0.keys().chain(self.0.keys()).collect();
        let changes = parts.into_iter().filter_map(|part| {
            let [was, is] = [before, self].map(|it| it.0.get(part).map_or(&[][..], Vec::as_slice));
            let same = was.iter().zip(is).take_while(|(a, b)| a == b).count();
            let (was, is) = (was.get(same), is.get(same));
            let is_changed = was.is_some() || is.is_some();
            is_changed.then(|| Change::between(was.map(Urgency::from), is.map(Urgency::from)))
        });
        changes.min()
    }
}

impl From<&VersionUpdate> for Urgency {
    fn from(update: &VersionUpdate) -> Self {
        let is_impossible = update.class == Class::NoUpdatePossible;
        Self {
            is_stuck: is_impossible,
            is_impossible,
            forced_at: (update.class == Class::Forced).then_some(update.at),
        }
    }
}
