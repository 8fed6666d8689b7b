// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::io;

use garden_gate_products::report::Lines;

/// Maximum number of files or kinds that a note names.
const NAMED: usize = 5;

/// Prints a line to standard error, escaped.
///
/// It affects no verdict, so an error is ignored.
pub(crate) fn note(line: fmt::Arguments<'_>) {
    let _ = Lines::plain(&mut io::stderr()).line(line);
}

/// Prints a note that lists the first things, and counts the others.
pub(crate) fn note_some(title: &str, things: impl ExactSizeIterator<Item = String>) {
    let count = things.len();
    if count == 0 {
        return;
    }
    let named: Vec<String> = things.take(NAMED).collect();
    let others = match count - named.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    note(format_args!("{title}: {}{others}", named.join(", ")));
}
