// SPDX-License-Identifier: Apache-2.0
//! Expiration dates that spread forced updates over several days.
//!
//! A profile has one expiration date per version, so that maintenance updates all of its Shoots within a day after it.

mod dates;
mod placement;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use self::dates::{listed, profile_key, with_dates};
use self::placement::{Group, Load, add, place};
use super::{Class, FleetPlan, FleetWindow, Outlook, Part};
use garden_gate_core::garden::{GardenObject, Snapshot};
use garden_gate_core::plan::PoolPlan;
use garden_gate_model::api::ProfileKey;

pub use self::dates::ProfileVersion;

/// Proposed expiration dates, and the machines of each day with and without them.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The end of the time over which updates are spread.
    pub until: Timestamp,
    /// The versions whose expiration changes machines within that time, by proposed date.
    pub dates: Vec<ProposedDate>,
    /// The day with the most machines with the dates of the profiles; `None` without machines.
    pub before: Option<DayLoad>,
    /// The same with the proposed dates.
    pub after: Option<DayLoad>,
    /// The number of machines on that day that depend on none of these dates.
    pub independent: u32,
    /// The number of machines that are replaced or updated in place only because of the proposed dates.
    pub additional: u32,
    /// The number of machines with the dates of the profiles.
    present: u32,
}

/// A version with its expiration date and a proposed one.
#[derive(Clone, Debug)]
pub struct ProposedDate {
    /// The version.
    pub version: ProfileVersion,
    /// The date in the profile.
    pub date: Timestamp,
    /// The proposed date; that of the profile if it stays.
    pub proposed: Timestamp,
    /// The number of Shoots whose machines change because of the version.
    pub shoots: usize,
    /// The number of machines that change because of the version.
    pub machines: u32,
    /// The day (UTC) on which most of them change, with all machines of this day.
    pub day: Option<DayLoad>,
}

/// The largest number of machines that are replaced or updated in place on a day (UTC).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DayLoad {
    /// The day.
    pub day: Date,
    /// The number of machines.
    pub machines: u32,
}

/// Profiles whose expiration dates may change.
#[derive(Debug)]
pub struct SpreadProfiles {
    profiles: Vec<GardenObject>,
    /// The expiration dates of the versions that they list.
    dates: BTreeMap<ProfileVersion, Option<Timestamp>>,
    /// For the title of a profile of Shoots, the profiles that determine its dates, the first that lists a version.
    sources: BTreeMap<String, Vec<Source>>,
}

/// A profile that may determine the date of a version.
#[derive(Clone, Debug)]
struct Source {
    key: ProfileKey,
    /// The versions that it lists.
    listed: BTreeSet<ProfileVersion>,
}

/// The machines of each day, by the versions whose expiration changes them.
#[derive(Default)]
struct Loads {
    groups: BTreeMap<ProfileVersion, (Load, BTreeSet<String>)>,
    independent: Load,
    all: Load,
}

impl SpreadProfiles {
    /// Prepares profiles that the garden contains.
    pub fn new(profiles: Vec<GardenObject>, garden: &Snapshot) -> Self {
        let mut sources: BTreeMap<String, Vec<Source>> = BTreeMap::new();
        let mut dates = BTreeMap::new();
        for profile in &profiles {
            let Some(source) = Source::of(profile) else { continue };
            dates.extend(listed(profile));
            if let GardenObject::CloudProfile(parent) = profile {
                let children = garden.namespaced_cloud_profiles_of(&parent.metadata.name);
                for child in children.into_iter().flat_map(|it| it.iter()) {
                    let child = GardenObject::NamespacedCloudProfile(child);
                    let Some(own) = Source::of(&child) else { continue };
                    let title = own.key.to_string();
                    sources.insert(title, vec![own, source.clone()]);
                }
            }
            let title = source.key.to_string();
            sources.entry(title).or_insert_with(|| vec![source]);
        }
        Self { profiles, dates, sources }
    }

    /// Proposes dates from those of the profiles up to `until`, for the forecast with the dates of the profiles.
    ///
    /// A version expires at midnight (UTC), so that the windows of one day update its Shoots.
    pub fn propose(&self, outlook: &Outlook, until: Timestamp) -> Spread {
        let loads = self.loads(outlook, until);
        let mut dates = Vec::new();
        let mut groups = Vec::new();
        for (version, (load, _)) in &loads.groups {
            let Some(date) = self.dates.get(version).copied().flatten() else { continue };
            groups.push(Group { load: load.clone(), days: days(date.max(outlook.at), until) });
            dates.push(ProposedDate {
                version: version.clone(),
                date,
                proposed: date,
                shoots: 0,
                machines: 0,
                day: None,
            });
        }
        let days = place(&groups, loads.independent.clone());
        for (date, day) in dates.iter_mut().zip(days) {
            date.proposed = day.and_then(midnight).unwrap_or(date.date);
        }
        let mut spread = Spread {
            until,
            dates,
            before: loads.peak(),
            after: None,
            independent: 0,
            additional: 0,
            present: loads.sum(),
        };
        spread.measure(&loads);
        spread
    }

    /// Returns the profiles with the proposed dates.
    pub fn with_dates(&self, spread: &Spread) -> Vec<GardenObject> {
        let dates = spread.dates.iter().map(|it| (it.version.clone(), it.proposed)).collect();
        self.profiles.iter().map(|it| with_dates(it, &dates)).collect()
    }

    /// Adds the machines of the forecast `with` the proposed dates, and withdraws the dates if they do not lower the peak.
    pub fn measure(&self, mut spread: Spread, with: &Outlook) -> Spread {
        let dated = self.loads(with, spread.until);
        let machines = |peak: Option<DayLoad>| peak.map_or(0, |it| it.machines);
        if machines(dated.peak()) < machines(spread.before) {
            spread.additional = dated.sum().saturating_sub(spread.present);
            spread.measure(&dated);
        } else {
            spread.dates.iter_mut().for_each(|it| it.proposed = it.date);
        }
        spread.dates.sort_by(|a, b| (a.proposed, &a.version).cmp(&(b.proposed, &b.version)));
        spread
    }

    fn loads(&self, outlook: &Outlook, until: Timestamp) -> Loads {
        let mut loads = Loads::default();
        let fleet = FleetPlan::of(outlook);
        for window in fleet.windows.iter().filter(|it| it.window.begin < until) {
            for pool in &window.plan.plan.pools {
                self.add(&mut loads, window, pool);
            }
        }
        loads
    }

    fn add(&self, loads: &mut Loads, window: &FleetWindow<'_>, pool: &PoolPlan) {
        let (day, machines) = (window.day(), pool.disrupted().most);
        if machines == 0 {
            return;
        }
        add(&mut loads.all, day, machines);
        let versions = self.versions(window, pool);
        if versions.is_empty() {
            add(&mut loads.independent, day, machines);
        }
        for version in versions {
            let (load, shoots) = loads.groups.entry(version).or_default();
            add(load, day, machines);
            shoots.insert(window.shoot.title());
        }
    }

    /// Returns the versions whose expiration changes the machines of a pool; each of them would do so alone.
    fn versions(&self, window: &FleetWindow<'_>, pool: &PoolPlan) -> BTreeSet<ProfileVersion> {
        let events = || window.window.events.iter().filter(|it| it.class == Class::Forced);
        let is_image = |cause: &String| cause.starts_with("machine.image");
        let has_image = pool.causes.iter().any(is_image);
        let has_kubernetes = pool.causes.iter().any(|cause| !is_image(cause));
        let has_own =
            events().any(|it| matches!(&it.part, Part::Pool { pool: name } if *name == pool.name));
        let of_event = |part: &Part| match part {
            Part::Image { pool: name, image } if has_image && *name == pool.name => {
                Some(Some(image.clone()))
            }
            Part::Pool { pool: name } if has_kubernetes && *name == pool.name => Some(None),
            Part::ControlPlane if has_kubernetes && !has_own => Some(None),
            _ => None,
        };
        let versions = events().filter_map(|event| {
            let image = of_event(&event.part)?;
            self.version(&window.shoot.forecast.profile, image, &event.from)
        });
        versions.collect()
    }

    /// Returns the entry that determines the date of a version; `None` if that date cannot change.
    fn version(&self, title: &str, image: Option<String>, version: &str) -> Option<ProfileVersion> {
        let sources = self.sources.get(title)?;
        let keys = sources.iter().map(|source| {
            let profile = source.key.clone();
            let key = ProfileVersion { profile, image: image.clone(), version: version.to_owned() };
            (source.listed.contains(&key), key)
        });
        let (_, key) = keys.into_iter().find(|(is_listed, _)| *is_listed)?;
        self.dates.get(&key).copied().flatten()?;
        Some(key)
    }
}

impl Source {
    fn of(profile: &GardenObject) -> Option<Self> {
        Some(Self { key: profile_key(profile)?, listed: listed(profile).into_keys().collect() })
    }
}

impl Loads {
    /// Returns the first of the days with the most machines.
    fn peak(&self) -> Option<DayLoad> {
        let most = self.all.values().copied().max()?;
        let day = self.all.iter().find(|(_, machines)| **machines == most);
        day.map(|(day, machines)| DayLoad { day: *day, machines: *machines })
    }

    fn sum(&self) -> u32 {
        self.all.values().copied().fold(0, u32::saturating_add)
    }
}

impl Spread {
    /// Returns the dates that change.
    pub fn changed(&self) -> impl Iterator<Item = &ProposedDate> {
        self.dates.iter().filter(|it| it.is_changed())
    }

    /// Returns a version that alone changes as many machines on a day as the peak with the proposed dates.
    pub fn bottleneck(&self) -> Option<&ProposedDate> {
        let peak = self.after?;
        let largest = self.dates.iter().max_by_key(|it| it.machines)?;
        (largest.machines >= peak.machines).then_some(largest)
    }

    fn measure(&mut self, loads: &Loads) {
        self.after = loads.peak();
        let independent = |peak: DayLoad| loads.independent.get(&peak.day).copied();
        self.independent = self.after.and_then(independent).unwrap_or_default();
        for date in &mut self.dates {
            let (load, shoots) = loads.groups.get(&date.version).cloned().unwrap_or_default();
            date.shoots = shoots.len();
            date.machines = load.values().copied().fold(0, u32::saturating_add);
            let most = load.values().copied().max();
            let day = load.iter().find(|(_, machines)| Some(**machines) == most);
            let all = |day: &Date| loads.all.get(day).copied().unwrap_or_default();
            date.day = day.map(|(day, _)| DayLoad { day: *day, machines: all(day) });
        }
    }
}

impl ProposedDate {
    /// Reports whether the proposed date is another one than that of the profile.
    pub fn is_changed(&self) -> bool {
        self.proposed != self.date
    }
}

/// Returns the days on which a version may expire that expires at `date`: whole days up to `until`.
fn days(date: Timestamp, until: Timestamp) -> Option<(Date, Date)> {
    let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    let nearly = SignedDuration::from_nanos(1);
    // The first midnight that is not earlier.
    let first = day(date.checked_sub(nearly).ok()?).tomorrow().ok()?;
    let last = day(until).yesterday().ok()?;
    (first <= last).then_some((first, last))
}

fn midnight(day: Date) -> Option<Timestamp> {
    Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_whole_and_not_earlier_than_the_date() {
        let days = |from: &str, until: &str| days(from.parse().unwrap(), until.parse().unwrap());
        let december = |first, last| Some((date(2026, 12, first), date(2026, 12, last)));
        let until = "2026-12-15T10:00:00Z";
        assert_eq!(days("2026-12-01T10:00:00Z", until), december(2, 14));
        assert_eq!(days("2026-12-01T00:00:00Z", until), december(1, 14));
        assert_eq!(days("2026-12-14T00:00:00Z", until), december(14, 14));
        assert_eq!(days("2026-12-14T00:00:01Z", until), None);
        assert_eq!(days("2026-12-20T00:00:00Z", until), None);
        assert_eq!(days(&Timestamp::MAX.to_string(), &Timestamp::MAX.to_string()), None);
        assert_eq!(days(&Timestamp::MIN.to_string(), &Timestamp::MIN.to_string()), None);
    }
}
