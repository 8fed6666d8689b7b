use std::io::{self, Write};

use serde_json::Value;

use super::yaml::{diff, yaml_document};
use super::{Fix, Reviewed, Summary, Writer};

impl Fix {
    /// Returns the fix from `before` to `after`; `name` is in the header of the diff.
    ///
    /// # Errors
    /// Fails if an object cannot be serialized as YAML.
    pub fn new(
        name: &str,
        before: &Value,
        after: Value,
    ) -> Result<Self, serde_saphyr::SerializeError> {
        let diff = diff((name, before), (&format!("{name} (fixed)"), &after))?;
        Ok(Self {
            manifest: after,
            diff,
        })
    }
}

/// Writes every fixed object as a YAML document, ready for `kubectl apply`.
#[derive(Debug)]
pub struct FixedWriter;

impl Writer for FixedWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let Some(fix) = &object.fix else {
            return Ok(());
        };
        out.write_all(yaml_document(&fix.manifest)?.as_bytes())
    }

    fn end(&mut self, _out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        Ok(())
    }
}
