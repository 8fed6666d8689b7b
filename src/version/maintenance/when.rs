use jiff::{SignedDuration, Timestamp};

use super::run::{Run, run};
use super::window::{Window, runs_at};
use crate::model::{CloudProfileSpec, Shoot};
use crate::version::{Classified, current_classification, is_expired};

/// More steps than any Shoot takes: the forecast ends with them, whatever a profile says.
const MOST_STEPS: usize = 500;

/// When a version that is in use is updated by force.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Forced {
    /// In the next run: it has expired already.
    NextRun,
    /// When it has expired.
    Later {
        /// When it expires.
        expires: Timestamp,
        /// The earliest run that can do it, unless the Shoot's owner asks for one.
        earliest: Timestamp,
        /// When it will be done at the latest, if Gardener works as it should.
        latest: Timestamp,
    },
    /// Never, as the profile is now.
    Never,
}

/// When a version that is in use is updated by force.
///
/// A version that the profile does not list any more is updated in the next run; that is for the caller to know.
#[must_use]
pub fn when_forced(version: &impl Classified, window: Window, now: Timestamp) -> Forced {
    if is_expired(version, now) {
        return Forced::NextRun;
    }
    let Some(expires) = first_expiry(version, now) else {
        return Forced::Never;
    };
    let (Some(earliest), Some(next)) = (window.first_after(expires), window.next_begin(expires))
    else {
        return Forced::Never;
    };
    Forced::Later {
        expires,
        earliest: if window.contains(expires) {
            expires
        } else {
            earliest
        },
        latest: window.end_of(next),
    }
}

/// The first instant after `now` from which on the version counts as expired.
fn first_expiry(version: &impl Classified, now: Timestamp) -> Option<Timestamp> {
    let mut changes: Vec<Timestamp> = transitions(version).filter(|at| *at >= now).collect();
    changes.sort_unstable();
    let just_after = |at: &Timestamp| at.checked_add(SignedDuration::from_nanos(1)).ok();
    let expires = |at: &Timestamp| just_after(at).is_some_and(|after| is_expired(version, after));
    changes.into_iter().find(expires)
}

/// The instants after which a version may be classified differently.
fn transitions(version: &impl Classified) -> impl Iterator<Item = Timestamp> {
    let stages = version.lifecycle().iter().filter_map(|it| it.start_time);
    let date = version.expiration_date();
    stages.chain(date.filter(|_| version.lifecycle().is_empty()))
}

/// A future maintenance run that changes something, or fails to.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The earliest time of the run.
    pub earliest: Timestamp,
    /// When the run ends at the latest.
    pub latest: Timestamp,
    /// What it does, judged at `earliest`.
    pub run: Run,
}

/// The maintenance runs from `now` to `until` that change something or fail, each building on the one before.
///
/// The profile is taken to stay as it is; admission is not asked. A failure is told once, not again in every window.
#[must_use]
pub fn plan(
    shoot: &Shoot,
    spec: &CloudProfileSpec,
    now: Timestamp,
    until: Timestamp,
) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    if shoot.metadata.deletion_timestamp.is_some() {
        return planned;
    }
    let window = Window::of(shoot);
    let mut shoot = shoot.clone();
    let mut next = if runs_at(&shoot, now) {
        Some(now)
    } else {
        window.first_after(now)
    };
    for _ in 0..MOST_STEPS {
        let Some(at) = next.filter(|at| *at <= until) else {
            break;
        };
        let run = run(&shoot, spec, at);
        let changes = run.changes();
        let known = planned.last().is_some_and(|last| last.run == run);
        if changes || (run.has_failures() && !known) {
            shoot = run.apply(&shoot);
            planned.push(at_window(window, at, run));
        }
        // Nothing new happens before the next window, and if nothing changed, before something in the profile does.
        let from = if changes {
            Some(at)
        } else {
            next_transition(spec, at)
        };
        next = from.and_then(|from| {
            if changes {
                window.next_begin(from)
            } else {
                window.first_after(from)
            }
        });
    }
    planned
}

fn at_window(window: Window, at: Timestamp, run: Run) -> Planned {
    // Inside a window it may be too late for today's run: then tomorrow's does it.
    let begin = window.next_begin(at - SignedDuration::from_secs(1));
    Planned {
        earliest: at,
        latest: begin.map_or(Timestamp::MAX, |begin| window.end_of(begin)),
        run,
    }
}

/// The first instant from `from` on after which something in the profile is classified differently.
fn next_transition(spec: &CloudProfileSpec, from: Timestamp) -> Option<Timestamp> {
    let images = spec.machine_images.iter().flat_map(|it| &it.versions);
    let images = images.filter_map(|version| change_of(version, from));
    let kubernetes = spec.kubernetes.versions.iter();
    let kubernetes = kubernetes.filter_map(|version| change_of(version, from));
    images.chain(kubernetes).min()
}

fn change_of(version: &impl Classified, from: Timestamp) -> Option<Timestamp> {
    let before = current_classification(version, from);
    let mut changes: Vec<Timestamp> = transitions(version).filter(|at| *at >= from).collect();
    changes.sort_unstable();
    changes.into_iter().find(|at| {
        let after = at.checked_add(SignedDuration::from_nanos(1));
        after.is_ok_and(|after| current_classification(version, after) != before)
    })
}
