// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;
use std::iter;

use textwrap::{Options, WordSplitter};

use super::ForecastReport;
use super::group::{self, CORRECT, Group, groups};
use super::row::{NOTHING_TO_DO, Row, Section, blocker, remedies};
use super::totals::{changed, counts, extent_of_report};
use crate::forecast::{Outlook, Status, UnknownForecast};
use crate::report::Look;
use crate::report::truncation::number;
use garden_gate_text::escape;

pub(crate) const RED: &str = "31";
const BOLD: &str = "1";
/// Maximum width of a column; longer cells exceed it.
const WIDEST: usize = 36;
/// Minimum width of wrapped sentences.
const NARROWEST: usize = 40;

/// Maximum number of lines in each list below grouped events.
const LIST: usize = 5;
/// The last line of a report with grouped events.
const MORE: &str = "Use --details to list every Shoot and every event.";

/// Formats a forecast as text: first the events that need a person, then the others.
///
/// Events of few Shoots are listed by day, with the reason; equal events of many Shoots are grouped.
pub fn forecast_text(report: ForecastReport<'_>, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &extent_of_report(report));
    if let Some(changed) = changed(report) {
        page.wrapped("", "  ", &changed);
    }
    for group in groups(report, limit) {
        page.group_heading(&group);
        if report.lists_events() {
            page.days(&group, report.outlook);
            if group.section == Section::Act {
                page.missing(&report.outlook.unforeseen);
            }
        } else {
            page.items(&group);
        }
    }
    let (paused, remarks) = lists(report, LIST);
    page.section("Stays behind", paused);
    page.section("To note", remarks);
    page.line("");
    page.wrapped("", "  ", &counts(report));
    if !report.lists_events() {
        page.line(MORE);
    }
    page.into_text()
}

fn limit(section: Section) -> usize {
    if section == Section::Act { 10 } else { 5 }
}

/// Returns the versions that stay behind, and the remarks; at most `limit` lines of each if events are grouped.
pub(super) fn lists(report: ForecastReport<'_>, limit: usize) -> (Vec<String>, Vec<String>) {
    if !report.lists_events() {
        return (group::paused(report, limit), group::remarks(report, limit));
    }
    let paused = if report.changes.is_some() { Vec::new() } else { standings(report.outlook) };
    (paused, remarks(report.outlook))
}

/// Formats the heading of a section, such as `Regular (5), nothing to do`.
pub(super) fn heading(group: &Group<'_>) -> String {
    let heading = format!("{} ({})", group.section.title(), number(group.count));
    let has_nothing_to_do = group.section == Section::Regular && group.count > 0;
    if has_nothing_to_do { format!("{heading}, {NOTHING_TO_DO}") } else { heading }
}

/// Lines that fit a look. All added strings are escaped.
pub(crate) struct Page {
    look: Look,
    text: String,
}

impl Page {
    pub(crate) fn new(look: Look) -> Self {
        Self { look, text: String::new() }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        let text = self.painted(&escape::value(text), BOLD);
        self.push(&text);
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.push(&escape::value(line));
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns an escaped text that links to a page, if the look has colours.
    pub(crate) fn linked(&self, text: &str, url: Option<&str>) -> String {
        match url.filter(|_| self.look.is_coloured) {
            Some(url) => format!("\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"),
            None => text.to_owned(),
        }
    }

    /// Adds a line whose parts are already escaped.
    fn push(&mut self, line: &str) {
        let line =
            if self.look.is_coloured { escape::painted_line(line) } else { escape::line(line) };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// Returns an escaped text in a colour, if the look has colours.
    pub(crate) fn painted(&self, text: &str, colour: &str) -> String {
        if self.look.is_coloured { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn group_heading(&mut self, group: &Group<'_>) {
        self.line("");
        self.heading(&heading(group));
    }

    /// Adds every event of a section, by day.
    fn days(&mut self, group: &Group<'_>, outlook: &Outlook) {
        let rows: Vec<Row<'_>> =
            group.entries.iter().flat_map(|entry| entry.all().copied()).collect();
        let widths = Widths::of(&rows);
        let mut day = None;
        for row in &rows {
            if day.replace(row.day()) != Some(row.day()) {
                let head = row.day().strftime("%a %F");
                self.line(&format!("  {head}, {}", row.in_days(outlook.at)));
            }
            self.row(row, &widths);
        }
    }

    /// Adds the items of a section.
    fn items(&mut self, group: &Group<'_>) {
        for item in &group.items {
            let when = if item.when.is_empty() { "" } else { ", " };
            let head = format!("{}: {}{when}{}", item.who, item.what, item.when);
            self.wrapped("  ", "    ", &head);
            if !item.why.is_empty() {
                self.wrapped("      ", "      ", &item.why.join("; "));
            }
            self.advice(group.section, item.advice.iter().map(String::as_str));
        }
        if group.more > 0 {
            self.line(&format!("  and {} more", number(group.more)));
        }
    }

    /// Adds the actions for an event or an item, unless there is nothing to do.
    fn advice<'s>(&mut self, section: Section, advice: impl Iterator<Item = &'s str>) {
        let title = if section == Section::Act { "to do" } else { "advice" };
        let advice: Vec<&str> =
            advice.filter(|it| !it.is_empty() && *it != NOTHING_TO_DO).collect();
        if !advice.is_empty() {
            self.wrapped("      ", "        ", &format!("{title}: {}", advice.join("; ")));
        }
    }

    fn row(&mut self, row: &Row<'_>, widths: &Widths) {
        // The other sections have one class each.
        let class = (row.section() == Section::Act).then(|| row.class());
        let mut head = format!("    {}", row.time());
        for (text, width) in [
            (row.shoot.title(), widths.shoot),
            (row.event.part.to_string(), widths.part),
            (row.change(), widths.change),
        ] {
            let text = escape::value(&text);
            let _infallible = write!(head, "  {text:width$}");
        }
        let class_width = class.as_ref().map_or(0, |it| it.chars().count() + 2);
        let painted = class.map(|it| format!("  {}", self.painted(&it, RED))).unwrap_or_default();
        let length = head.chars().count() + class_width;
        let mut why: Vec<String> = [row.event.cause.clone(), row.effects()]
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect();
        why.extend(row.event.oddities.iter().cloned());
        let joined = why.join("; ");
        let why = escape::value(&joined);
        let pad = widths.class - class_width;
        if length + pad + 2 + why.chars().count() <= self.look.width {
            self.push(&format!("{head}{painted}{:pad$}  {why}", ""));
        } else {
            self.head(&head, &painted, length);
            self.wrapped("      ", "      ", &why);
        }
        // All events of a blocked run have the same cause.
        for blocked in row.blockers().iter().filter(|_| row.is_last_blocked()) {
            self.wrapped("      ", "        ", &blocker(blocked));
            self.advice(Section::Act, iter::once(blocked.help.as_str()));
        }
        if !row.window.unknown.is_empty() && !row.is_blocked() {
            let unknown = row.window.unknown.join("; ");
            let unknown = format!("not certain: {unknown}");
            self.wrapped("      ", "        ", &unknown);
        }
        if remedies(row.blockers()).is_none() {
            self.advice(row.section(), iter::once(row.advice()));
        }
    }

    /// Adds the line of an event, whose parts are escaped; narrow terminals get two lines.
    fn head(&mut self, head: &str, class: &str, length: usize) {
        if length <= self.look.width {
            return self.push(format!("{head}{class}").trim_end());
        }
        let columns: Vec<&str> =
            head.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect();
        let head = format!("{} {}", columns.join(" "), class.trim_start());
        self.wrap("    ", "      ", head.trim_end());
    }

    pub(crate) fn wrapped(&mut self, first: &str, rest: &str, text: &str) {
        self.wrap(first, rest, &escape::value(text));
    }

    /// Adds a text whose parts are already escaped, in as many lines as it needs.
    pub(crate) fn wrap(&mut self, first: &str, rest: &str, text: &str) {
        let options = Options::new(self.look.width.max(NARROWEST))
            .initial_indent(first)
            .subsequent_indent(rest)
            // Names are not split, so that users can search for them and copy them.
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(false);
        for line in textwrap::wrap(text, options) {
            self.push(&line);
        }
    }

    pub(super) fn section(&mut self, title: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        self.line("");
        self.heading(title);
        for line in lines {
            self.wrapped("  ", "    ", &line);
        }
    }

    /// Adds the Shoots without a forecast, unless there are none.
    fn missing(&mut self, shoots: &[UnknownForecast]) {
        if shoots.is_empty() {
            return;
        }
        self.line("  No forecast");
        for line in unforeseen(shoots) {
            self.wrapped("    ", "      ", &line);
        }
        self.advice(Section::Act, iter::once(CORRECT));
    }
}

/// The widths of the columns, in characters.
struct Widths {
    shoot: usize,
    part: usize,
    change: usize,
    /// The width with the space before it, or 0 without a class.
    class: usize,
}

impl Widths {
    fn of(rows: &[Row<'_>]) -> Self {
        let widest = |text: fn(&Row<'_>) -> String| {
            let widths = rows.iter().map(|row| text(row).chars().count());
            widths.filter(|it| *it <= WIDEST).max().unwrap_or_default()
        };
        Self {
            shoot: widest(|row| row.shoot.title()),
            part: widest(|row| row.event.part.to_string()),
            change: widest(|row| row.change()),
            class: rows
                .iter()
                .filter(|row| row.section() == Section::Act)
                .map(|row| row.class().len() + 2)
                .max()
                .unwrap_or_default(),
        }
    }
}

/// Returns lines for versions that are not updated although a later one exists.
pub(super) fn standings(outlook: &Outlook) -> Vec<String> {
    let shoots = outlook.shoots.iter().flat_map(|shoot| {
        let standings = shoot.forecast.standings.iter();
        let paused = standings.filter(|it| it.status == Status::Paused);
        paused.map(move |it| {
            let (title, part) = (shoot.title(), &it.part);
            format!("{title}, {part} {}: {}", it.version, it.paused)
        })
    });
    shoots.collect()
}

/// Returns the remarks on Shoots.
pub(super) fn remarks(outlook: &Outlook) -> Vec<String> {
    let shoots = outlook.shoots.iter().flat_map(|shoot| {
        let remarks = shoot.forecast.remarks.iter();
        remarks.map(move |remark| format!("{}: {remark}", shoot.title()))
    });
    shoots.collect()
}

/// Returns Shoots without a forecast, with reasons.
pub(super) fn unforeseen<'a>(shoots: impl IntoIterator<Item = &'a UnknownForecast>) -> Vec<String> {
    shoots.into_iter().map(|it| format!("{}: {}", it.title(), it.why)).collect()
}
