use std::fmt;
use std::io;

use garden_gate_products::report::Lines;

/// Prints a line to standard error, escaped.
///
/// It affects no verdict, so an error is ignored.
pub(crate) fn note(line: fmt::Arguments<'_>) {
    let _ = Lines::plain(&mut io::stderr()).line(line);
}
