// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use super::{Reviewed, Summary};

/// Writes a review in one format, object by object.
///
/// Implementations keep no more of an object than the format requires.
pub trait Writer {
    /// Writes the beginning, before all objects.
    ///
    /// # Errors
    /// Fails if `out` fails.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes the next object, or keeps the data for the end.
    ///
    /// # Errors
    /// Fails if `out` fails.
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()>;

    /// Writes the next objects, in order.
    ///
    /// # Errors
    /// Fails if `out` fails.
    fn objects(&mut self, out: &mut dyn Write, objects: &[&Reviewed]) -> io::Result<()> {
        objects.iter().try_for_each(|object| self.object(out, object))
    }

    /// Writes the end, after the last object.
    ///
    /// # Errors
    /// Fails if `out` fails.
    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()>;
}
