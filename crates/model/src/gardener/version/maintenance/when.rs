// SPDX-License-Identifier: Apache-2.0
use jiff::{SignedDuration, Timestamp};

use super::window::Window;
use crate::gardener::version::{Classified, current_classification, is_expired};

/// The time of a forced update of a version that is in use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Forced {
    /// In the next run: the version has expired already.
    NextRun,
    /// After the version has expired.
    Later {
        /// The expiration time.
        expires: Timestamp,
        /// The earliest run that can make the update, unless the Shoot's owner requests one.
        earliest: Timestamp,
        /// The latest time of the update, if Gardener works correctly.
        latest: Timestamp,
    },
    /// Never, with the current profile.
    Never,
}

/// Returns the time of the forced update of a version that is in use.
///
/// A version that is missing in the profile is updated in the next run; the caller has to handle that.
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
        earliest: if window.contains(expires) { expires } else { earliest },
        latest: window.end_of(next),
    }
}

/// Returns the first time after `now` from which on the version counts as expired.
fn first_expiry(version: &impl Classified, now: Timestamp) -> Option<Timestamp> {
    let changes = transitions(version).filter(|at| *at >= now);
    let just_after = |at: &Timestamp| at.checked_add(SignedDuration::from_nanos(1)).ok();
    let expires = |at: &Timestamp| just_after(at).is_some_and(|after| is_expired(version, after));
    changes.filter(expires).min()
}

/// Returns the times after which a version may be classified differently.
fn transitions(version: &impl Classified) -> impl Iterator<Item = Timestamp> {
    let stages = version.lifecycle().iter().filter_map(|it| it.start_time);
    let date = version.expiration_date();
    stages.chain(date.filter(|_| version.lifecycle().is_empty()))
}

/// Returns the times after which a version of a list is classified differently, in order.
pub fn turns<'a, T: Classified + 'a>(versions: impl IntoIterator<Item = &'a T>) -> Vec<Timestamp> {
    let mut turns: Vec<Timestamp> = versions.into_iter().flat_map(turns_of).collect();
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
