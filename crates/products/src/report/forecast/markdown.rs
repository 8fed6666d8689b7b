use std::fmt::Write as _;

use super::row::{Row, blocker, rows};
use super::text::{remarks, standings, unforeseen};
use super::totals::{counts, extent};
use crate::forecast::Outlook;
use crate::report::markup::{code, text};
use crate::report::truncation::fit;

/// Maximum size of the table, since GitHub truncates a comment at 65,536 characters.
const LIMIT: usize = 50_000;
/// Maximum size of each list below the table.
const LIST_LIMIT: usize = 2_500;

/// Formats a forecast as Markdown for a comment or wiki: a table of events, and lists.
///
/// Lines beyond the size limit are counted.
pub fn forecast_markdown(outlook: &Outlook) -> String {
    let mut page = format!("### garden-gate forecast: {}\n\n", counts(outlook));
    let _infallible = writeln!(page, "{}", extent(outlook));
    let rows = rows(outlook);
    let head = ["when", "Shoot", "part", "change", "", "why"];
    let lines = rows.iter().map(|row| line(row, outlook));
    table(&mut page, &head, lines, rows.len());
    for (title, lines) in [
        ("Stays behind", standings(outlook)),
        ("To note", remarks(outlook)),
        ("Not forecast", unforeseen(&outlook.unforeseen)),
    ] {
        section(&mut page, title, &lines);
    }
    page
}

/// Writes a table with `count` lines, unless it is empty; lines beyond the size limit are counted.
pub(super) fn table(
    page: &mut String,
    head: &[&str],
    lines: impl Iterator<Item = String>,
    count: usize,
) {
    if count == 0 {
        return;
    }
    let rule = "---|".repeat(head.len());
    let _infallible = writeln!(page, "\n| {} |\n|{rule}", head.join(" | "));
    for line in fit(lines, count, LIMIT, 1) {
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
    if !row.advice().is_empty() {
        why.push(format!("advice: {}", text(row.advice())));
    }
    cells(&[
        format!("{day} {} ({})", row.time(), row.in_days(outlook.at)),
        code(&row.shoot.title()),
        text(&row.event.part.to_string()),
        text(&row.change()),
        format!("**{}**", row.class()),
        why.join("; "),
    ])
}
