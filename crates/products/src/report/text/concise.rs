// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use crate::report::findings::place;
use crate::report::{Lines, Reviewed, Summary, Verbosity, Writer};

/// Writes a line for each finding, as editors and `grep` read it: `file:line:column: deny id message`.
#[derive(Debug)]
pub struct ConciseWriter {
    verbosity: Verbosity,
}

impl ConciseWriter {
    /// Returns a writer; only [`Verbosity::Quiet`] omits the summary.
    pub fn new(verbosity: Verbosity) -> Self {
        Self { verbosity }
    }
}

impl Writer for ConciseWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let mut out = Lines::plain(out);
        for remark in object.remarks_with_server() {
            let field = match remark.field {
                "" => String::new(),
                field => format!("{field}: "),
            };
            let line = format!(
                "{}: {} {} {field}{}",
                place(object, remark.excerpt),
                remark.weight.as_str(),
                remark.id,
                remark.statement()
            );
            out.line(format_args!("{}", object.in_garden(line)))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        if self.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        let mut out = Lines::plain(out);
        summary.last_lines().iter().try_for_each(|line| out.line(format_args!("{line}")))
    }
}
