use std::fmt;
use std::io::{self, Write};

use crate::escape;

/// Text for terminals and logs. There is no other way to write through it than escaped.
pub struct Lines<'a> {
    out: &'a mut dyn Write,
    is_coloured: bool,
}

impl<'a> Lines<'a> {
    /// Text without colours.
    #[must_use]
    pub fn plain(out: &'a mut dyn Write) -> Self {
        let is_coloured = false;
        Self { out, is_coloured }
    }

    /// Text in which the program's own colours stay, if it has any.
    pub(super) fn new(out: &'a mut dyn Write, is_coloured: bool) -> Self {
        Self { out, is_coloured }
    }

    /// Writes one line, whatever its parts hold: `out.line(format_args!("{file}: {error}"))`.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn line(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        let line = line.to_string();
        self.out.write_all(escape::line(&line).as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Writes lines that the program has laid out from values of one line each.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn block(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(escape::lines(text).as_bytes())
    }

    /// Writes lines that the program may have coloured, and whose values it has escaped.
    pub(super) fn painted(&mut self, text: &str) -> io::Result<()> {
        match self.is_coloured {
            true => self.out.write_all(escape::painted_lines(text).as_bytes()),
            false => self.block(text),
        }
    }
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lines").finish_non_exhaustive()
    }
}
