// SPDX-License-Identifier: Apache-2.0
//! Estimates of the memory that forecasts use.

use super::{Blocker, Event, Maintenance, Owner, Part, ShootForecast, VersionStatus};

/// Overhead of the allocator per string, in bytes.
const STRING: usize = 16;

impl ShootForecast {
    /// Returns the estimated memory in bytes.
    pub fn memory(&self) -> usize {
        let forecast = &self.forecast;
        let names = [&forecast.namespace, &forecast.name, &forecast.profile];
        size_of::<Self>()
            + self.owner.memory()
            + strings(names)
            + list(&forecast.remarks, String::len)
            + list(&forecast.standings, version)
            + list(&forecast.windows, window)
    }
}

impl Owner {
    /// Returns the estimated memory of the strings in bytes.
    pub fn memory(&self) -> usize {
        strings([&self.project, &self.name])
    }
}

fn strings<'a>(strings: impl IntoIterator<Item = &'a String>) -> usize {
    strings.into_iter().map(|it| STRING + it.capacity()).sum()
}

/// Returns the memory of a list whose elements own further memory.
fn list<T>(list: &Vec<T>, owned: impl Fn(&T) -> usize) -> usize {
    let owned = list.iter().map(|it| STRING + owned(it)).sum::<usize>();
    list.capacity() * size_of::<T>() + owned
}

fn version(status: &VersionStatus) -> usize {
    let optional = status.classification.iter().chain(&status.target);
    part(&status.part)
        + strings([&status.version, &status.paused].into_iter().chain(optional))
        + list(&status.stages, |it| strings([&it.version, &it.classification]))
}

fn window(window: &Maintenance) -> usize {
    list(&window.events, event)
        + list(&window.blocked, blocker)
        + list(&window.unknown, String::capacity)
}

fn event(event: &Event) -> usize {
    let Event { from, to, cause, advice, .. } = event;
    part(&event.part)
        + strings([from, cause, advice].into_iter().chain(to))
        + list(&event.effects, |it| list(&it.pools, String::capacity))
        + list(&event.oddities, String::capacity)
}

fn blocker(blocker: &Blocker) -> usize {
    strings([&blocker.field, &blocker.message, &blocker.help])
}

fn part(part: &Part) -> usize {
    match part {
        Part::Pool { pool } => strings([pool]),
        Part::Image { pool, image } => strings([pool, image]),
        Part::Field { path } => strings([path]),
        Part::ControlPlane | Part::Operation => 0,
    }
}
