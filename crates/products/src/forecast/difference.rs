// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Class, Event, Maintenance, Outlook, Part, ShootForecast, UnknownForecast};

/// The difference between the forecasts of two gardens.
#[derive(Debug)]
pub struct Difference<'a> {
    /// The forecast for the changed garden.
    pub after: &'a Outlook,
    /// The changes, by Project and Shoot.
    pub changes: Vec<Changed<'a>>,
    /// Shoots that no longer have a forecast.
    pub lost: Vec<&'a UnknownForecast>,
}

/// A part of a Shoot whose forecast changes.
#[derive(Debug)]
pub struct Changed<'a> {
    /// The Shoot.
    pub shoot: &'a ShootForecast,
    /// The meaning of the change for the Shoot's owner.
    pub change: Change,
    /// The first event that changes; `None` if there was none.
    pub before: Option<Moment<'a>>,
    /// The event that replaces it; `None` if there is none.
    pub after: Option<Moment<'a>>,
}

/// An event with its maintenance window.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The window.
    pub window: &'a Maintenance,
    /// The event.
    pub event: &'a Event,
}

/// The meaning of a change for the Shoot's owner, worst first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Change {
    /// An update was possible and no longer is: there is no target version, or a rule denies it; or it was denied, and
    /// now there is no target version.
    Stranded,
    /// A forced update is added or is earlier.
    ForcedEarlier,
    /// A forced update is later or is dropped.
    ForcedLater,
    /// An update was impossible and becomes possible.
    Freed,
    /// An update has another time or target version, or is added.
    Other,
}

impl Change {
    /// All changes.
    pub const ALL: [Change; 5] = [
        Change::Stranded,
        Change::ForcedEarlier,
        Change::ForcedLater,
        Change::Freed,
        Change::Other,
    ];

    /// Returns the text for users.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Stranded => "stranded",
            Change::ForcedEarlier => "forced earlier",
            Change::ForcedLater => "forced later",
            Change::Freed => "no longer stranded",
            Change::Other => "otherwise",
        }
    }

    fn of(before: Option<Moment<'_>>, after: Option<Moment<'_>>) -> Self {
        Self::between(before.map(Moment::urgency), after.map(Moment::urgency))
    }

    /// Returns the meaning of replacing an update with another one.
    pub(super) fn between(before: Option<Urgency>, after: Option<Urgency>) -> Self {
        let is_stuck = |it: Option<Urgency>| it.is_some_and(|it| it.is_stuck);
        let is_impossible = |it: Option<Urgency>| it.is_some_and(|it| it.is_impossible);
        let forced = |it: Option<Urgency>| it.and_then(|it| it.forced_at);
        match (forced(before), forced(after)) {
            _ if is_stuck(after) && !is_stuck(before) => Change::Stranded,
            // The owner can remove what blocks an update, but cannot add a version.
            _ if is_impossible(after) && !is_impossible(before) => Change::Stranded,
            _ if is_stuck(before) && !is_stuck(after) => Change::Freed,
            (None, Some(_)) => Change::ForcedEarlier,
            (Some(_), None) => Change::ForcedLater,
            (Some(was), Some(is)) if is < was => Change::ForcedEarlier,
            (Some(was), Some(is)) if is > was => Change::ForcedLater,
            _ => Change::Other,
        }
    }
}

/// The properties of an update that decide about the meaning of a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urgency {
    /// Whether the update fails.
    pub(super) is_stuck: bool,
    /// Whether it fails because no version is left.
    pub(super) is_impossible: bool,
    /// The time of a forced update.
    pub(super) forced_at: Option<Timestamp>,
}

impl Moment<'_> {
    fn urgency(self) -> Urgency {
        let is_forced = self.event.class == Class::Forced;
        let is_impossible = self.event.class == Class::NoUpdatePossible;
        Urgency {
            is_stuck: self.window.is_blocked() || is_impossible,
            is_impossible,
            forced_at: is_forced.then_some(self.window.earliest),
        }
    }

    fn is_like(self, other: Moment<'_>) -> bool {
        let [a, b] = [self, other].map(|it| {
            let Event { from, to, class, .. } = it.event;
            (it.window.earliest, from, to, *class, &it.window.blocked)
        });
        a == b
    }
}

impl<'a> Difference<'a> {
    /// Returns the changes from `before` to `after`, for Shoots in both forecasts.
    pub fn of(before: &'a Outlook, after: &'a Outlook) -> Self {
        let known: BTreeMap<_, _> = before.shoots.iter().map(|it| (key(it), it)).collect();
        let mut changes = Vec::new();
        for shoot in &after.shoots {
            let was = known.get(&key(shoot)).map(|it| moments(it));
            changes.extend(compare(was.unwrap_or_default(), shoot));
        }
        changes.sort_by(|a, b| {
            let order = |it: &Changed<'a>| (it.shoot.owner.clone(), it.shoot.title(), it.change);
            order(a).cmp(&order(b))
        });
        let lost =
            after.unforeseen.iter().filter(|it| known.contains_key(&(&*it.namespace, &*it.name)));
        Self { after, changes, lost: lost.collect() }
    }

    /// Returns the number of Shoots with changes.
    pub fn shoots(&self) -> usize {
        let mut keys: Vec<_> = self.changes.iter().map(|it| key(it.shoot)).collect();
        keys.dedup();
        keys.len() + self.lost.len()
    }

    /// Returns the number of changes of a type.
    pub fn count(&self, change: Change) -> usize {
        self.changes.iter().filter(|it| it.change == change).count()
    }
}

fn key(shoot: &ShootForecast) -> (&str, &str) {
    (&shoot.forecast.namespace, &shoot.forecast.name)
}

type Moments<'a> = BTreeMap<&'a Part, Vec<Moment<'a>>>;

fn moments(shoot: &ShootForecast) -> Moments<'_> {
    let mut moments: Moments<'_> = BTreeMap::new();
    for window in &shoot.forecast.windows {
        for event in &window.events {
            let moment = Moment { window, event };
            moments.entry(&event.part).or_default().push(moment);
        }
    }
    moments
}

/// Returns the changes from `before` to `after`, which are forecasts for the same Shoot.
pub(super) fn changes_of<'a>(
    before: &'a ShootForecast,
    after: &'a ShootForecast,
) -> Vec<Changed<'a>> {
    compare(moments(before), after)
}

/// Returns the first difference of each part.
fn compare<'a>(mut was: Moments<'a>, shoot: &'a ShootForecast) -> Vec<Changed<'a>> {
    let mut changes = Vec::new();
    let mut is = moments(shoot);
    let parts: Vec<&Part> = was.keys().chain(is.keys()).copied().collect();
    for part in parts {
        let [was, is] = [&mut was, &mut is].map(|it| it.remove(part).unwrap_or_default());
        let same = was.iter().zip(&is).take_while(|(a, b)| a.is_like(**b)).count();
        let (before, after) = (was.get(same).copied(), is.get(same).copied());
        if before.is_some() || after.is_some() {
            changes.push(Changed { shoot, change: Change::of(before, after), before, after });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Change, Urgency};

    const REGULAR: Urgency = Urgency { is_stuck: false, is_impossible: false, forced_at: None };
    const DENIED: Urgency = Urgency { is_stuck: true, ..REGULAR };
    const IMPOSSIBLE: Urgency = Urgency { is_impossible: true, ..DENIED };

    fn forced(update: Urgency, day: i64) -> Option<Urgency> {
        let forced_at = jiff::Timestamp::from_second(day * 86_400).ok();
        Some(Urgency { forced_at, ..update })
    }

    #[rstest]
    #[case::denied(forced(REGULAR, 1), forced(DENIED, 1), Change::Stranded)]
    #[case::impossible(Some(REGULAR), Some(IMPOSSIBLE), Change::Stranded)]
    #[case::denied_before(forced(DENIED, 1), Some(IMPOSSIBLE), Change::Stranded)]
    #[case::denied_now(Some(IMPOSSIBLE), forced(DENIED, 1), Change::ForcedEarlier)]
    #[case::possible(Some(IMPOSSIBLE), Some(REGULAR), Change::Freed)]
    #[case::added(None, forced(REGULAR, 2), Change::ForcedEarlier)]
    #[case::earlier(forced(REGULAR, 2), forced(REGULAR, 1), Change::ForcedEarlier)]
    #[case::later(forced(DENIED, 1), forced(DENIED, 2), Change::ForcedLater)]
    #[case::dropped(forced(REGULAR, 1), None, Change::ForcedLater)]
    #[case::other(Some(REGULAR), None, Change::Other)]
    fn change_has_the_worst_meaning(
        #[case] before: Option<Urgency>,
        #[case] after: Option<Urgency>,
        #[case] expected: Change,
    ) {
        assert_eq!(Change::between(before, after), expected);
    }
}
