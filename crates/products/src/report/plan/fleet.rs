// SPDX-License-Identifier: Apache-2.0
//! Plans of the maintenance of all Shoots as text and Markdown.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use jiff::civil::Date;

use super::assumptions::sentence;
use super::cost;
use super::markdown;
use super::rows::first as first_names;
use super::spread;
use super::text::add_table;
use crate::forecast::{Class, FleetDay, FleetPlan, FleetWindow, Outlook, Spread};
use crate::report::Look;
use crate::report::forecast::{self, Page, days};
use crate::report::markup::text;
use crate::report::truncation::number;
use garden_gate_core::plan::{Estimates, PlanSettings, bounds, counted, headline_of_shoot};

/// Maximum number of days, regions, owners and groups of Shoots; the others are counted.
const LISTED: usize = 20;
/// Maximum number of Shoots that a group names.
const NAMED: usize = 3;

const DAYS: [&str; 5] = ["day", "Shoots", "replaced", "in place", "extra"];
const PEAKS: [&str; 4] = ["region", "day", "extra", "resources"];
const OWNERS: [&str; 3] = ["owner", "Shoots", "first"];
const WINDOWS: [&str; 3] = ["days", "Shoots", "machines"];

/// The plan of maintenance, with its comparisons.
#[derive(Clone, Copy, Debug)]
pub struct FleetReport<'a> {
    /// The plan, with changed profiles if there are any.
    pub plan: &'a FleetPlan<'a>,
    /// The plan without changed profiles; `None` if no profile changes.
    pub without: Option<&'a FleetPlan<'a>>,
    /// The proposed expiration dates, if they are requested.
    pub spread: Option<&'a Spread>,
    /// The assumptions of the plan.
    pub settings: &'a PlanSettings,
}

/// Formats the machines that maintenance changes as text.
pub fn fleet_text(report: FleetReport<'_>, look: Look) -> String {
    let sheet = Sheet::of(report);
    let mut page = Page::new(look);
    for line in &sheet.lead {
        page.wrapped("", "  ", line);
    }
    let heading = |page: &mut Page, title: &str| {
        page.line("");
        page.heading(title);
    };
    if !sheet.dates.is_empty() {
        heading(&mut page, "Expiration dates");
        add_table(&mut page, spread::DATES, &sheet.dates);
    }
    if !sheet.owners.is_empty() {
        heading(&mut page, "Owners that must act");
        add_table(&mut page, OWNERS, &sheet.owners);
    }
    if !sheet.days.is_empty() {
        heading(&mut page, "Days with the most machines");
        add_table(&mut page, DAYS, &sheet.days);
        if !sheet.peaks.is_empty() {
            heading(&mut page, "Peaks of the regions");
            add_table(&mut page, PEAKS, &sheet.peaks);
        }
        heading(&mut page, "Windows");
        for [days, shoots, machines] in &sheet.windows {
            let line = if shoots.is_empty() {
                days.clone()
            } else {
                format!("{days}, {shoots}: {machines}")
            };
            page.wrapped("  ", "    ", &line);
        }
    }
    page.line("");
    for note in &sheet.notes {
        page.wrapped("", "  ", note);
    }
    page.into_text()
}

/// Formats the same as Markdown.
pub fn fleet_markdown(report: FleetReport<'_>) -> String {
    let sheet = Sheet::of(report);
    let mut lead = sheet.lead.iter();
    let mut page =
        format!("### garden-gate plan: {}\n", lead.next().map_or_else(String::new, |it| text(it)));
    for line in lead {
        let _infallible = writeln!(page, "\n{}", text(line));
    }
    if !sheet.dates.is_empty() {
        markdown::add_table(&mut page, spread::DATES, &sheet.dates);
    }
    if !sheet.owners.is_empty() {
        markdown::add_table(&mut page, OWNERS, &sheet.owners);
    }
    if !sheet.days.is_empty() {
        markdown::add_table(&mut page, DAYS, &sheet.days);
        if !sheet.peaks.is_empty() {
            markdown::add_table(&mut page, PEAKS, &sheet.peaks);
        }
        markdown::add_table(&mut page, WINDOWS, &sheet.windows);
    }
    page.push('\n');
    markdown::list(&mut page, &sheet.notes);
    page
}

/// Formats the first line, such as `1,204 machines of 120 Shoots are replaced …, most on 14 Dec 2026: 340 of 30 Shoots`.
pub(super) fn headline(fleet: &FleetPlan<'_>) -> String {
    let totals = fleet.totals();
    let titles = fleet.windows.iter().map(|it| (&it.plan.namespace, &it.plan.name));
    let shoots = titles.collect::<BTreeSet<_>>().len();
    let kinds = [
        (totals.replaced, "replaced"),
        (totals.updated, "updated in place"),
        (totals.created, "created"),
        (totals.deleted, "deleted"),
    ];
    let kinds = kinds.into_iter().filter(|(count, _)| !count.is_zero());
    let kinds: Vec<String> =
        kinds.map(|(count, what)| format!("{} {what}", bounds(count))).collect();
    let time = days(date(fleet.outlook.at), date(fleet.outlook.until));
    if kinds.is_empty() {
        return format!("maintenance changes no machine, {time}");
    }
    let shoots = counted_shoots(shoots);
    let mut line = format!("machines of {shoots}, {time}: {}", kinds.join(", "));
    if let Some(most) = fleet.days().iter().max_by_key(|it| (disrupted(it), Reverse(it.day))) {
        let extra = if most.totals.extra.is_zero() {
            String::new()
        } else {
            format!(", {} at a time", counted(most.totals.extra, "extra machine"))
        };
        line += &format!(
            "; most on {}: {} in {}{extra}",
            days(most.day, most.day),
            number(usize::try_from(disrupted(most)).unwrap_or(usize::MAX)),
            counted_shoots(most.shoots),
        );
    }
    line
}

fn counted_shoots(count: usize) -> String {
    forecast::counted(count, "Shoot", "Shoots").unwrap_or_default()
}

fn date(at: jiff::Timestamp) -> Date {
    at.to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Returns the largest number of machines that are replaced or updated in place on a day.
fn disrupted(day: &FleetDay) -> u32 {
    day.totals.replaced.plus(day.totals.updated).most
}

/// The content of a plan, for all formats for people.
struct Sheet {
    lead: Vec<String>,
    dates: Vec<[String; 7]>,
    owners: Vec<[String; 3]>,
    days: Vec<[String; 5]>,
    peaks: Vec<[String; 4]>,
    windows: Vec<[String; 3]>,
    notes: Vec<String>,
}

impl Sheet {
    fn of(report: FleetReport<'_>) -> Self {
        let FleetReport { plan: fleet, without, spread, settings } = report;
        let outlook = fleet.outlook;
        let counts = outlook.counts();
        let mut lead: Vec<String> = spread.map(spread::sentences).unwrap_or_default();
        lead.push(headline(fleet));
        if let Some(without) = without {
            lead.push(format!("Without the change: {}", headline(without)));
        }
        if let Some(prices) = &settings.prices {
            lead.extend(cost::sentences(&fleet.cost(prices), prices));
        }
        let refused = forecast::counted(
            counts.blocked + counts.impossible,
            "update that a rule or the profile does not permit",
            "updates that a rule or the profile does not permit",
        );
        let unforeseen = forecast::counted(
            outlook.unforeseen.len(),
            "Shoot without a forecast",
            "Shoots without a forecast",
        );
        let act: Vec<String> = refused.into_iter().chain(unforeseen).collect();
        if !act.is_empty() {
            let act = act.join(", ");
            lead.push(format!("Must act: {act}; `garden-gate forecast` has the reasons"));
        }
        let mut most = fleet.days();
        most.sort_by_key(|it| (Reverse(disrupted(it)), it.day));
        let rows = most.iter().map(|it| {
            let totals = &it.totals;
            let cells = [totals.replaced, totals.updated, totals.extra].map(bounds);
            let [replaced, updated, extra] = cells;
            [it.day.to_string(), number(it.shoots), replaced, updated, extra]
        });
        let peaks = fleet.peaks();
        let peaks = peaks.iter().map(|it| {
            [it.region.clone(), it.day.to_string(), bounds(it.extra), it.resources.to_string()]
        });
        Self {
            lead,
            dates: limited(spread.map(spread::rows).unwrap_or_default()),
            owners: limited(owners(outlook)),
            days: limited(rows.collect()),
            peaks: limited(peaks.collect()),
            windows: limited(windows(fleet)),
            notes: notes(fleet, &settings.estimates),
        }
    }
}

/// Cuts a table, with a last row that counts the others.
fn limited<const N: usize>(mut rows: Vec<[String; N]>) -> Vec<[String; N]> {
    let more = rows.len().saturating_sub(LISTED);
    if more > 0 {
        rows.truncate(LISTED);
        let mut last = [const { String::new() }; N];
        last[0] = format!("and {} more", number(more));
        rows.push(last);
    }
    rows
}

/// Returns the owners whose Shoots have a refused or impossible update, or no forecast, those with the most Shoots first.
fn owners(outlook: &Outlook) -> Vec<[String; 3]> {
    let refused = outlook
        .events()
        .filter(|(_, window, event)| window.is_blocked() || event.class == Class::NoUpdatePossible);
    let refused = refused.map(|(shoot, _, _)| (&shoot.owner.name, shoot.title()));
    let unforeseen = outlook.unforeseen.iter().map(|it| (&it.owner.name, it.title()));
    let mut owners: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (owner, title) in refused.chain(unforeseen) {
        owners.entry(owner).or_default().insert(title);
    }
    let mut owners: Vec<(&str, BTreeSet<String>)> = owners.into_iter().collect();
    owners.sort_by_key(|(_, shoots)| Reverse(shoots.len()));
    let rows = owners.into_iter().map(|(owner, shoots)| {
        let owner = if owner.is_empty() { "unknown" } else { owner };
        [owner.to_owned(), number(shoots.len()), shoots.into_iter().next().unwrap_or_default()]
    });
    rows.collect()
}

/// Returns the windows with equal plans once, by their first day.
fn windows(fleet: &FleetPlan<'_>) -> Vec<[String; 3]> {
    let mut order: Vec<String> = Vec::new();
    let mut groups: HashMap<String, Vec<&FleetWindow<'_>>> = HashMap::new();
    for window in &fleet.windows {
        let mut line = headline_of_shoot(window.plan);
        if window.is_longer_than_window() {
            line += "; longer than its window";
        }
        let group = groups.entry(line.clone()).or_insert_with(|| {
            order.push(line);
            Vec::new()
        });
        group.push(window);
    }
    let rows = order.into_iter().filter_map(|line| {
        let group = groups.get(&line)?;
        let (first, last) = (group.first()?.day(), group.last()?.day());
        let titles: BTreeSet<String> = group.iter().map(|it| it.shoot.title()).collect();
        let count = titles.len();
        let names = first_names(titles.into_iter(), NAMED);
        let shoots =
            if count > NAMED { format!("{} Shoots ({names})", number(count)) } else { names };
        Some([days(first, last), shoots, line])
    });
    rows.collect()
}

fn notes(fleet: &FleetPlan<'_>, estimates: &Estimates) -> Vec<String> {
    let unknown: BTreeSet<&str> =
        fleet.windows.iter().flat_map(|it| &it.plan.unknown).map(String::as_str).collect();
    let mut notes: Vec<String> =
        unknown.iter().take(LISTED).map(|it| format!("not known: {it}")).collect();
    if unknown.len() > LISTED {
        notes.push(format!("and {} more unknown facts", number(unknown.len() - LISTED)));
    }
    notes.push(sentence(estimates));
    notes
}
