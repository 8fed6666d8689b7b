// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::report::truncation::number_of;
use crate::report::{Lines, Reviewed, Summary, Verbosity, Weight, Writer};

/// Writes a line for each id of findings: severity, objects, findings that can be fixed, and the id.
#[derive(Debug)]
pub struct StatisticsWriter {
    verbosity: Verbosity,
    counts: BTreeMap<(Weight, &'static str), Counts>,
}

/// The findings with one id.
#[derive(Debug, Default)]
struct Counts {
    findings: usize,
    objects: usize,
    fixable: usize,
}

impl StatisticsWriter {
    /// Returns a writer; only [`Verbosity::Quiet`] omits the summary.
    pub fn new(verbosity: Verbosity) -> Self {
        Self { verbosity, counts: BTreeMap::new() }
    }
}

impl Writer for StatisticsWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let mut seen = BTreeSet::new();
        for remark in object.remarks_with_server() {
            let key = (remark.weight, remark.id);
            let counts = self.counts.entry(key).or_default();
            counts.findings += 1;
            counts.objects += usize::from(seen.insert(key));
            counts.fixable += usize::from(remark.fixable.is_some());
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let mut out = Lines::plain(out);
        let mut rows: Vec<_> = self.counts.iter().collect();
        rows.sort_by_key(|((weight, _), counts)| (*weight, std::cmp::Reverse(counts.objects)));
        let rows: Vec<[String; 4]> =
            rows.into_iter().map(|(key, counts)| row(*key, counts)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let [weight, objects, findings] = [width(0), width(1), width(2)];
        for row in &rows {
            let [first, second, third, last] = row;
            out.line(format_args!(
                "{first:weight$}  {second:>objects$}  {third:>findings$}  {last}"
            ))?;
        }
        if self.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        summary.last_lines().iter().try_for_each(|line| out.line(format_args!("{line}")))
    }
}

fn row((weight, id): (Weight, &str), counts: &Counts) -> [String; 4] {
    let fixable = match counts.fixable {
        0 => String::new(),
        fixable => format!(" ({fixable} fixable)"),
    };
    [
        weight.as_str().to_owned(),
        number_of(counts.objects, "object", "objects"),
        number_of(counts.findings, "finding", "findings"),
        format!("{id}{fixable}"),
    ]
}
