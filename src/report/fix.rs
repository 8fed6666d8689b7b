use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::yaml::{diff, yaml_document};
use super::{Reviewed, Summary, Writer};

/// An object after somebody else, or a command, has put it right.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fix {
    /// The whole object.
    pub manifest: Value,
    /// What differs from the object as it was, as a unified diff of YAML; both written alike, without comments.
    pub diff: String,
}

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
