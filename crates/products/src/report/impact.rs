// SPDX-License-Identifier: Apache-2.0
//! The impact of a CloudProfile change as a table.

use std::fmt::Write;

use super::markup::text;
use crate::forecast::{ChangedOffer, Impact, Unused};
use garden_gate_text::escape::value_within;

/// Maximum numbers of rows and of unused names shown to people; the others are counted.
const ROWS: usize = 50;
const NAMES: usize = 5;
/// Maximum size of a cell in bytes.
const LONGEST: usize = 120;

/// Formats the impact for a terminal with aligned columns; the last column is not limited.
pub(super) fn lines(impact: &Impact) -> Vec<String> {
    let rows: Vec<[String; 3]> = impact.changes.iter().take(ROWS).map(cells).collect();
    let width = |cell: usize| {
        let widths = rows.iter().map(|row| row[cell].chars().count());
        widths.max().unwrap_or_default()
    };
    let [what, change] = [width(0), width(1)];
    rows.iter()
        .map(|[first, second, third]| {
            let line = format!("{first:what$}  {second:change$}  {third}");
            line.trim_end().to_owned()
        })
        .chain(rest(impact))
        .collect()
}

/// Formats the impact as Markdown.
pub(super) fn table(impact: &Impact) -> String {
    let mut table = "\n| what changes | how | who uses it |\n|---|---|---|\n".to_owned();
    for row in impact.changes.iter().take(ROWS) {
        let [what, change, users] = cells(row).map(|cell| text(&cell));
        let _infallible = writeln!(table, "| {what} | {change} | {users} |");
    }
    table.push('\n');
    for line in rest(impact) {
        let _infallible = writeln!(table, "- {}", text(&line));
    }
    table
}

fn rest(impact: &Impact) -> impl Iterator<Item = String> {
    let more = impact.changes.len().saturating_sub(ROWS) + impact.more;
    let more = (more > 0).then(|| format!("and {more} more changes"));
    more.into_iter().chain(impact.unused.iter().map(unused))
}

fn unused(unused: &Unused) -> String {
    let first: Vec<String> =
        unused.names.iter().take(NAMES).map(|name| value_within(name, LONGEST)).collect();
    let more = unused.names.len() - first.len() + unused.more;
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} that no Shoot uses: {}{more}", unused.what, first.join(", "))
}

fn cells(row: &ChangedOffer) -> [String; 3] {
    [value_within(&row.what, LONGEST), value_within(&row.change, LONGEST), users(row)]
}

fn users(row: &ChangedOffer) -> String {
    let shoots = match row.shoots {
        None => return "not all Shoots are known".to_owned(),
        Some(0) => return "no Shoot".to_owned(),
        Some(1) => "1 Shoot".to_owned(),
        Some(many) => format!("{many} Shoots"),
    };
    let more = match row.shoots.unwrap_or_default() - row.first.len() {
        0 => "",
        _ => ", …",
    };
    let forced = row.forced.map_or_else(String::new, |forced| {
        let some = if Some(forced.shoots) == row.shoots {
            String::new()
        } else {
            format!("{} of them ", forced.shoots)
        };
        format!("; {some}forced from {} on", forced.from)
    });
    format!("{shoots}: {}{more}{forced}", row.first.join(", "))
}
