use std::io::{self, Write};

use serde_json::Value;

use super::yaml::{diff, yaml_document};
use super::{Fix, Reviewed, Summary, Writer};

impl Fix {
    /// The fix that makes `after` out of `before`, which both are called `name` in the diff.
    ///
    /// # Errors
    /// When an object cannot be written as YAML.
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
