use jiff::{SignedDuration, Timestamp};

use super::window::Window;
use crate::version::{Classified, current_classification, is_expired};

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
    let changes = transitions(version).filter(|at| *at >= now);
    let just_after = |at: &Timestamp| at.checked_add(SignedDuration::from_nanos(1)).ok();
    let expires = |at: &Timestamp| just_after(at).is_some_and(|after| is_expired(version, after));
    changes.filter(expires).min()
}

/// The instants after which a version may be classified differently.
fn transitions(version: &impl Classified) -> impl Iterator<Item = Timestamp> {
    let stages = version.lifecycle().iter().filter_map(|it| it.start_time);
    let date = version.expiration_date();
    stages.chain(date.filter(|_| version.lifecycle().is_empty()))
}

/// The instants after which a version of a list is classified differently, in order.
#[must_use]
pub fn turns<'a, T: Classified + 'a>(versions: impl IntoIterator<Item = &'a T>) -> Vec<Timestamp> {
    let versions = versions.into_iter();
    let mut turns: Vec<Timestamp> = versions.flat_map(turns_of).collect();
    turns.sort_unstable();
    turns.dedup();
    turns
}

fn turns_of(version: &impl Classified) -> Vec<Timestamp> {
    let is_turn = |at: &Timestamp| {
        let after = at.checked_add(SignedDuration::from_nanos(1));
        let before = current_classification(version, *at);
        after.is_ok_and(|after| current_classification(version, after) != before)
    };
    transitions(version).filter(is_turn).collect()
}
