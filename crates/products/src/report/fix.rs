// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;
use similar::TextDiff;

use super::{Fix, Reviewed, Summary, Writer, json_document};
use garden_gate_text::escape::{is_clean, value};

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
        let diff = yaml_diff(name, before, &format!("{name} (fixed)"), &after)?;
        Ok(Self { manifest: after, diff })
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

/// Time limit for the search for the shortest diff, whose cost is quadratic.
///
/// After that, whole blocks are replaced.
const SEARCH: Duration = Duration::from_secs(2);

/// Formats the difference of two objects as a unified diff of YAML, with their names in the header.
///
/// # Errors
/// Fails if an object cannot be serialized as YAML.
pub fn yaml_diff(
    old_name: &str,
    old: &Value,
    new_name: &str,
    new: &Value,
) -> Result<String, serde_saphyr::SerializeError> {
    let [old, new] = [serde_saphyr::to_string(old)?, serde_saphyr::to_string(new)?];
    let diff = TextDiff::configure().timeout(SEARCH).diff_lines(&old, &new);
    Ok(diff.unified_diff().header(&value(old_name), &value(new_name)).to_string())
}

/// Formats an object as a YAML document with `---`.
///
/// Objects with unsafe characters are written as JSON, a subset of YAML in which every character can be escaped.
///
/// # Errors
/// Fails if the object cannot be serialized as YAML.
pub fn yaml_document(object: &Value) -> io::Result<String> {
    let yaml = serde_saphyr::to_string(object).map_err(io::Error::other)?;
    let text = if is_clean(&yaml) { yaml } else { json_document(object)? };
    Ok(format!("---\n{text}"))
}
