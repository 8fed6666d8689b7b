// SPDX-License-Identifier: Apache-2.0
//! The machines that maintenance changes in all Shoots of a garden.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{Maintenance, Outlook, ShootForecast};
use garden_gate_core::plan::{Bounds, Capacity, Cost, Prices, ShootPlan, Span, Totals};

/// The machines that maintenance changes in all Shoots of a garden.
#[derive(Debug)]
pub struct FleetPlan<'a> {
    /// The forecast.
    pub outlook: &'a Outlook,
    /// The windows in which machines change, by time.
    pub windows: Vec<FleetWindow<'a>>,
}

/// A maintenance window in which machines of a Shoot change.
#[derive(Clone, Copy, Debug)]
pub struct FleetWindow<'a> {
    /// The Shoot.
    pub shoot: &'a ShootForecast,
    /// The window.
    pub window: &'a Maintenance,
    /// The plan of the machines.
    pub plan: &'a ShootPlan,
}

/// The machines that change on one day (UTC), as if all of its windows began at the same time.
#[derive(Clone, Debug)]
pub struct FleetDay {
    /// The day.
    pub day: Date,
    /// The number of Shoots.
    pub shoots: usize,
    /// The sums over the Shoots.
    pub totals: Totals,
}

/// The machines that change in windows of different days; a machine may change in several of them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct FleetTotals {
    /// The number of replaced machines.
    pub replaced: Bounds,
    /// The number of machines that are updated in place and stay.
    pub updated: Bounds,
    /// The number of machines that wait until a user selects them.
    pub waiting: Bounds,
    /// The number of created machines that replace no other one.
    pub created: Bounds,
    /// The number of deleted machines that are not replaced.
    pub deleted: Bounds,
    /// The number of additional machines at a time on the day with the most.
    pub extra: Bounds,
    /// The duration of the longest window.
    pub longest: Span,
}

/// The day on which a region needs the most additional machines.
#[derive(Clone, Debug)]
pub struct Peak {
    /// The region.
    pub region: String,
    /// The day (UTC).
    pub day: Date,
    /// The number of additional machines at a time.
    pub extra: Bounds,
    /// The resources of these machines, as far as they are known.
    pub resources: Capacity,
}

impl FleetWindow<'_> {
    /// Returns the day (UTC) on which the window begins.
    pub fn day(&self) -> Date {
        self.window.begin.to_zoned(TimeZone::UTC).date()
    }

    /// Reports whether the update typically lasts longer than the window.
    pub fn is_longer_than_window(&self) -> bool {
        let length = self.window.latest.duration_since(self.window.begin);
        let typical = SignedDuration::try_from(self.plan.plan.totals.time.typical);
        typical.is_ok_and(|typical| typical > length)
    }
}

impl<'a> FleetPlan<'a> {
    /// Returns the windows of a forecast in which machines change.
    pub fn of(outlook: &'a Outlook) -> Self {
        let windows = outlook.shoots.iter().flat_map(|shoot| {
            let windows = shoot.forecast.windows.iter();
            windows.filter_map(move |window| {
                let plan = window.machines.as_deref()?;
                Some(FleetWindow { shoot, window, plan })
            })
        });
        let mut windows: Vec<FleetWindow<'_>> = windows.collect();
        windows.sort_by_key(|it| it.window.begin);
        Self { outlook, windows }
    }

    /// Returns the days on which machines change, in order.
    pub fn days(&self) -> Vec<FleetDay> {
        let mut days: BTreeMap<Date, FleetDay> = BTreeMap::new();
        for window in &self.windows {
            let day = window.day();
            let sum = days.entry(day).or_insert_with(|| FleetDay {
                day,
                shoots: 0,
                totals: Totals::default(),
            });
            sum.shoots += 1;
            sum.totals = sum.totals.beside(&window.plan.plan.totals);
        }
        days.into_values().collect()
    }

    /// Returns the peak of each region that needs additional machines, the highest first.
    pub fn peaks(&self) -> Vec<Peak> {
        let mut days: BTreeMap<(&str, Date), Peak> = BTreeMap::new();
        for window in self.windows.iter().filter(|it| !it.plan.plan.totals.extra.is_zero()) {
            let (region, day) = (window.plan.region.as_str(), window.day());
            let sum = days.entry((region, day)).or_insert_with(|| Peak {
                region: region.to_owned(),
                day,
                extra: Bounds::default(),
                resources: Capacity::default(),
            });
            sum.extra = sum.extra.plus(window.plan.plan.totals.extra);
            sum.resources.extend(&window.plan.extra);
        }
        let mut peaks: BTreeMap<String, Peak> = BTreeMap::new();
        for day in days.into_values() {
            let peak = peaks.entry(day.region.clone()).or_insert_with(|| day.clone());
            if day.extra.most > peak.extra.most {
                *peak = day;
            }
        }
        let mut peaks: Vec<Peak> = peaks.into_values().collect();
        peaks.sort_by_key(|it| std::cmp::Reverse(it.extra.most));
        peaks
    }

    /// Returns the costs of all windows.
    pub fn cost(&self, prices: &Prices) -> Cost {
        Cost::of(self.windows.iter().map(|it| it.plan), prices)
    }

    /// Returns the machines that change in all windows, one window after the other.
    pub fn totals(&self) -> FleetTotals {
        let windows = self.windows.iter();
        let sum =
            windows.fold(Totals::default(), |sum, window| sum.beside(&window.plan.plan.totals));
        let days = self.days();
        FleetTotals {
            replaced: sum.replaced,
            updated: sum.updated,
            waiting: sum.waiting,
            created: sum.created,
            deleted: sum.deleted,
            extra: days.iter().fold(Bounds::default(), |most, day| most.max(day.totals.extra)),
            longest: sum.time,
        }
    }
}
