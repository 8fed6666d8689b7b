// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use super::ForecastReport;
use super::group::{CORRECT, Group, Item, groups};
use super::row::{Row, Section, blocker, remedies};
use super::text::{heading, lists};
use super::totals::{changed, counts, extent_of_report};
use crate::forecast::{Outlook, UnknownForecast};
use crate::report::markup::{code, text};
use crate::report::truncation::fit;

/// Maximum size of a table that stands alone, since GitHub truncates a comment at 65,536 characters.
const LIMIT: usize = 50_000;
/// Maximum size of each list below the tables.
const LIST_LIMIT: usize = 2_500;
/// Maximum number of lines in each list below grouped events.
const LIST: usize = 20;

/// Formats a forecast as Markdown for a comment or wiki: a table for each section, and lists.
///
/// Equal events of many Shoots are grouped. Lines beyond the size limit are counted.
pub fn forecast_markdown(report: ForecastReport<'_>) -> String {
    let mut page = format!("### garden-gate forecast: {}\n\n", counts(report));
    let _infallible = writeln!(page, "{}", extent_of_report(report));
    if let Some(changed) = changed(report) {
        let _infallible = writeln!(page, "\n{}", text(&changed));
    }
    for group in groups(report, |_| usize::MAX) {
        let _infallible = writeln!(page, "\n**{}**", heading(&group));
        if report.lists_events() {
            events(&mut page, &group, report.outlook);
        } else {
            items(&mut page, &group);
        }
    }
    let (paused, remarks) = lists(report, LIST);
    section(&mut page, "Stays behind", &paused);
    section(&mut page, "To note", &remarks);
    page
}

/// Returns the maximum size of the table of a section; all together fit into a comment.
fn limit(section: Section) -> usize {
    match section {
        Section::Act => 30_000,
        Section::Forced => 15_000,
        Section::Regular => 10_000,
    }
}

/// Writes a table with every event of a section, and with the Shoots without a forecast.
fn events(page: &mut String, group: &Group<'_>, outlook: &Outlook) {
    let is_urgent = group.section == Section::Act;
    let missing: &[UnknownForecast] = if is_urgent { &outlook.unforeseen } else { &[] };
    let rows = group.entries.iter().flat_map(|entry| entry.all());
    let lines = rows.map(|row| line(row, outlook)).chain(missing.iter().map(unforeseen));
    let head: Vec<&str> = ["when", "Shoot", "part", "change", "why"]
        .into_iter()
        .chain(action(group.section))
        .collect();
    // The number of events, of which a blocked run may have several.
    let count = group.entries.iter().map(|it| 1 + it.others.len()).sum::<usize>() + missing.len();
    bounded_table(page, &head, lines, count, limit(group.section));
}

/// Writes a table with the items of a section.
fn items(page: &mut String, group: &Group<'_>) {
    let head: Vec<&str> =
        ["when", "Shoots", "change", "why"].into_iter().chain(action(group.section)).collect();
    let lines = group.items.iter().map(|it| item(it, group.section));
    bounded_table(page, &head, lines, group.items.len(), limit(group.section));
}

/// Returns the heading of the column with the advice; regular events have none.
fn action(section: Section) -> Option<&'static str> {
    match section {
        Section::Act => Some("what to do"),
        Section::Forced => Some("advice"),
        Section::Regular => None,
    }
}

fn item(item: &Item, section: Section) -> String {
    let sentences = |all: &[String]| {
        let all: Vec<String> = all.iter().map(|it| text(it)).collect();
        all.join("; ")
    };
    let mut line = vec![item.when.clone(), text(&item.who), text(&item.what), sentences(&item.why)];
    line.extend(action(section).map(|_| sentences(&item.advice)));
    cells(&line)
}

fn unforeseen(shoot: &UnknownForecast) -> String {
    let [when, part] = [(); 2].map(|()| String::new());
    let (title, change) = (code(&shoot.title()), "no forecast".to_owned());
    cells(&[when, title, part, change, text(&shoot.why), CORRECT.to_owned()])
}

/// Writes a table with `count` lines, unless it is empty; lines beyond the size limit are counted.
pub(super) fn table(
    page: &mut String,
    head: &[&str],
    lines: impl Iterator<Item = String>,
    count: usize,
) {
    bounded_table(page, head, lines, count, LIMIT);
}

fn bounded_table(
    page: &mut String,
    head: &[&str],
    lines: impl Iterator<Item = String>,
    count: usize,
    limit: usize,
) {
    if count == 0 {
        return;
    }
    let rule = "---|".repeat(head.len());
    let _infallible = writeln!(page, "\n| {} |\n|{rule}", head.join(" | "));
    for line in fit(lines, count, limit, 1) {
        let _infallible = if line.starts_with('|') {
            writeln!(page, "{line}")
        } else {
            writeln!(page, "| {line} |")
        };
    }
}

/// Formats a line of a table.
pub(super) fn cells(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// Writes a list with a title, unless it is empty.
pub(super) fn section(page: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _infallible = write!(page, "\n**{title}**\n\n");
    let items = lines.iter().map(|line| text(line));
    for item in fit(items, lines.len(), LIST_LIMIT, 3) {
        let _infallible = writeln!(page, "- {item}");
    }
}

fn line(row: &Row<'_>, outlook: &Outlook) -> String {
    let day = row.day().strftime("%a %F");
    let mut why = vec![text(&row.event.cause)];
    let effects = row.effects();
    if !effects.is_empty() {
        why.push(text(&effects));
    }
    why.extend(row.event.oddities.iter().map(|it| text(it)));
    why.extend(row.blockers().iter().map(|it| text(&blocker(it))));
    if !row.is_blocked() {
        let unknown = row.window.unknown.iter();
        why.extend(unknown.map(|it| format!("not certain: {}", text(it))));
    }
    let advice: Vec<String> = match remedies(row.blockers()) {
        Some(blockers) => blockers.iter().map(|it| text(&it.help)).collect(),
        None => vec![text(row.advice_or_nothing())],
    };
    let mut change = text(&row.change());
    if row.section() == Section::Act {
        let _infallible = write!(change, " (**{}**)", row.class());
    }
    let mut line = vec![
        format!("{day} {} ({})", row.time(), row.in_days(outlook.at)),
        code(&row.shoot.title()),
        text(&row.event.part.to_string()),
        change,
        why.join("; "),
    ];
    line.extend(action(row.section()).map(|_| advice.join("; ")));
    cells(&line)
}
