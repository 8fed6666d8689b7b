// SPDX-License-Identifier: Apache-2.0
//! Proposed expiration dates.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

use crate::forecast::{DayLoad, ProposedDate, Spread};
use crate::report::forecast::{counted, days};
use crate::report::truncation::number;

/// The columns of proposed dates.
pub(super) const DATES: [&str; 7] =
    ["profile", "version", "expires", "proposed", "Shoots", "machines", "that day"];

/// Formats the proposal: the action, the peak before and after, and what limits it.
pub(super) fn sentences(spread: &Spread) -> Vec<String> {
    let until = date(spread.until);
    let until = days(until, until);
    let (Some(before), Some(after), false) = (spread.before, spread.after, spread.dates.is_empty())
    else {
        let line = format!(
            "There is nothing to spread: until {until}, no expiration date of these profiles changes machines"
        );
        return vec![line];
    };
    let changed = spread.changed().count();
    let mut lines = vec![match counted(changed, "expiration date", "expiration dates") {
        Some(dates) => format!(
            "Set {dates}: until {until}, a day changes at most {}, not {}",
            peak(after),
            peak(before)
        ),
        None => format!(
            "Keep the expiration dates: until {until}, no others lower the peak of {}",
            peak(before)
        ),
    }];
    if let Some(ProposedDate { version, machines, .. }) = spread.bottleneck() {
        lines.push(format!(
            "{version} of {} alone changes {}, and has one date; ask owners to update earlier",
            version.profile,
            machines_of(*machines)
        ));
    }
    if spread.independent > 0 {
        lines.push(format!(
            "On {}, {} on none of these dates",
            days(after.day, after.day),
            match spread.independent {
                1 => "1 machine depends".to_owned(),
                many => format!("{} machines depend", number(many as usize)),
            }
        ));
    }
    if spread.additional > 0 {
        lines.push(format!(
            "{} more often than with the present dates, since versions of the same pool expire on different days",
            match spread.additional {
                1 => "1 machine changes".to_owned(),
                many => format!("{} machines change", number(many as usize)),
            }
        ));
    }
    lines
}

/// Formats the rows of the table.
pub(super) fn rows(spread: &Spread) -> Vec<[String; 7]> {
    let rows = spread.dates.iter().map(|it| {
        let proposed = if it.is_changed() { it.proposed.to_string() } else { "keep".to_owned() };
        [
            it.version.profile.to_string(),
            it.version.to_string(),
            it.date.to_string(),
            proposed,
            number(it.shoots),
            number(it.machines as usize),
            it.day.map_or_else(String::new, |it| number(it.machines as usize)),
        ]
    });
    rows.collect()
}

fn peak(peak: DayLoad) -> String {
    format!("{} on {}", machines_of(peak.machines), days(peak.day, peak.day))
}

fn machines_of(count: u32) -> String {
    counted(count as usize, "machine", "machines").unwrap_or_else(|| "no machine".to_owned())
}

fn date(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// Proposed expiration dates that spread forced updates over several days.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SpreadPlan")]
pub(super) struct SpreadDates<'a> {
    /// The proposal in words, the action first.
    remarks: Vec<String>,
    /// The end of the time over which updates are spread.
    until: Timestamp,
    /// The day with the most machines with the present dates; absent without machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Load>,
    /// The day with the most machines with the proposed dates; absent without machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Load>,
    /// The number of machines on the day of `after` that depend on none of these dates.
    independent_machines: u32,
    /// The number of machines that change only because of the proposed dates.
    additional_machines: u32,
    /// The versions whose expiration changes machines, by proposed date.
    versions: Vec<Version<'a>>,
}

/// The largest number of machines that are replaced or updated in place on a day.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "DayLoad")]
struct Load {
    /// The day (UTC).
    #[schemars(with = "String")]
    day: Date,
    /// The number of machines.
    machines: u32,
}

/// Version with its expiration date and a proposed one.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ProposedDate")]
struct Version<'a> {
    /// The profile, such as `CloudProfile stratus`.
    profile: String,
    /// The name of the machine image; absent for a version of Kubernetes.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    /// The version.
    version: &'a str,
    /// The expiration date in the profile.
    expiration_date: Timestamp,
    /// The proposed date; the same if it stays.
    proposed_date: Timestamp,
    /// The number of Shoots whose machines change because of the version.
    shoots: usize,
    /// The number of these machines.
    machines: u32,
    /// The day on which most of them change, with all machines of this day.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<Load>,
}

impl<'a> SpreadDates<'a> {
    pub(super) fn of(spread: &'a Spread) -> Self {
        let load = |it: DayLoad| Load { day: it.day, machines: it.machines };
        let versions = spread.dates.iter().map(|it| Version {
            profile: it.version.profile.to_string(),
            image: it.version.image.as_deref(),
            version: &it.version.version,
            expiration_date: it.date,
            proposed_date: it.proposed,
            shoots: it.shoots,
            machines: it.machines,
            day: it.day.map(load),
        });
        Self {
            remarks: sentences(spread),
            until: spread.until,
            before: spread.before.map(load),
            after: spread.after.map(load),
            independent_machines: spread.independent,
            additional_machines: spread.additional,
            versions: versions.collect(),
        }
    }
}
