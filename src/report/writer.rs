use std::io::{self, Write};

use super::{Reviewed, Summary};

/// Writes a review in one format while it goes on: nothing about an object is kept that the format can do without.
pub trait Writer {
    /// Writes what stands in front of all objects.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes what is said about the next object, or keeps what is written of it at the end.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()>;

    /// Writes what is said about the next objects, in order.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    fn objects(&mut self, out: &mut dyn Write, objects: &[&Reviewed]) -> io::Result<()> {
        let mut objects = objects.iter();
        objects.try_for_each(|object| self.object(out, object))
    }

    /// Writes the rest, after the last object.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()>;
}
