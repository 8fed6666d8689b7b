// SPDX-License-Identifier: Apache-2.0
//! Rules as a list: fitted to a terminal, or complete with one line each.

use std::io::{self, Write};

use textwrap::{Options, fill};

use garden_gate_core::admission::Rule;

/// Maximum number of columns of an id next to a summary; longer ids are on a separate line.
const LONGEST_ID: usize = 34;
/// Minimum number of columns of a summary.
const LEAST_SUMMARY: usize = 24;

/// Writes id, level and summary of each rule for `width` columns.
///
/// The level is that of the default profile.
pub(super) fn narrow(out: &mut dyn Write, rules: &[&Rule], width: usize) -> io::Result<()> {
    let ids = rules.iter().map(|rule| rule.id.len()).filter(|length| *length <= LONGEST_ID);
    let id_width = ids.max().unwrap_or_default().max("RULE".len());
    write_narrow(out, ["RULE", "LEVEL", "SUMMARY"], id_width, width)?;
    for rule in rules {
        let level = rule.levels.documented.as_str();
        write_narrow(out, [rule.id, level, rule.summary], id_width, width)?;
    }
    Ok(())
}

fn write_narrow(
    out: &mut dyn Write,
    [id, level, summary]: [&str; 3],
    id_width: usize,
    width: usize,
) -> io::Result<()> {
    let first = format!("{id:id_width$}  {level:5}  ");
    let margin = " ".repeat(id_width + 9);
    let (line, begin) = if id.len() > id_width {
        (Some(format!("{id}\n")), format!("{:id_width$}  {level:5}  ", ""))
    } else {
        (None, first)
    };
    let options = Options::new(width.max(margin.len() + LEAST_SUMMARY))
        .initial_indent(&begin)
        .subsequent_indent(&margin);
    writeln!(out, "{}{}", line.unwrap_or_default(), fill(summary, options))
}

/// Writes all properties of each rule in one line.
pub(super) fn wide(out: &mut dyn Write, rules: &[&Rule]) -> io::Result<()> {
    let header = ["RULE", "DOCUMENTED", "GARDENER", "HARDENED", "PHASE", "KINDS", "SUMMARY"]
        .map(str::to_owned);
    let rows: Vec<[String; 7]> =
        std::iter::once(header).chain(rules.iter().map(|rule| row(rule))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4, 5].map(width);
    for row in &rows {
        for (cell, width) in row.iter().zip(widths) {
            write!(out, "{cell:width$}  ")?;
        }
        writeln!(out, "{}", row[6])?;
    }
    Ok(())
}

fn row(rule: &Rule) -> [String; 7] {
    let kinds: Vec<&str> = rule.kinds().iter().map(|kind| kind.as_str()).collect();
    [
        rule.id.to_owned(),
        rule.levels.documented.to_string(),
        rule.levels.gardener.to_string(),
        rule.levels.hardened.to_string(),
        format!("{:?}", rule.phase).to_lowercase(),
        kinds.join(","),
        rule.summary.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::narrow;
    use garden_gate_core::admission::Rule;
    use garden_gate_core::rules;

    fn lines(rules: &[&Rule], width: usize) -> Vec<String> {
        let mut out = Vec::new();
        narrow(&mut out, rules, width).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_rule_fits_a_terminal() {
        for width in [70, 80, 120, 300] {
            for line in lines(rules::ALL, width) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn long_ids_and_summaries_go_on_in_the_next_line() {
        let chosen =
            ["shoot/tolerations-invalid", "namespacedcloudprofile/limit-below-shoot-minimum"]
                .map(|id| rules::find(id).unwrap());
        assert_eq!(
            lines(&chosen, 64),
            [
                "RULE                       LEVEL  SUMMARY",
                "shoot/tolerations-invalid  deny   rejects invalid or duplicate",
                "                                  tolerations",
                "namespacedcloudprofile/limit-below-shoot-minimum",
                "                           deny   rejects a node limit below the",
                "                                  minimum number of nodes of a",
                "                                  Shoot",
            ]
        );
    }
}
