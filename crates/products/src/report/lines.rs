// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::io::{self, Write};

use garden_gate_text::escape;

/// Text for terminals and logs. All output is escaped.
pub struct Lines<'a> {
    out: &'a mut dyn Write,
    is_coloured: bool,
}

impl<'a> Lines<'a> {
    /// Returns a writer of text without colours.
    pub fn plain(out: &'a mut dyn Write) -> Self {
        let is_coloured = false;
        Self { out, is_coloured }
    }

    /// Returns a writer that can keep the program's colours.
    pub(super) fn new(out: &'a mut dyn Write, is_coloured: bool) -> Self {
        Self { out, is_coloured }
    }

    /// Writes one line, escaped: `out.line(format_args!("{file}: {error}"))`.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn line(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        self.out.write_all(escape::line(&line.to_string()).as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Writes preformatted lines; control characters in them are escaped.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn block(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(escape::lines(text).as_bytes())
    }

    /// Writes lines with colours of the program, in which values are already escaped.
    pub(super) fn painted(&mut self, text: &str) -> io::Result<()> {
        if self.is_coloured {
            self.out.write_all(escape::painted_lines(text).as_bytes())
        } else {
            self.block(text)
        }
    }
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lines").finish_non_exhaustive()
    }
}
