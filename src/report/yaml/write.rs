use std::io;

use serde_json::Value;

use crate::escape;
use crate::report::json_document;

/// Formats an object as a YAML document with `---`.
///
/// Objects with unsafe characters are written as JSON, a subset of YAML in which every character can be escaped.
///
/// # Errors
/// Fails if the object cannot be serialized as YAML.
pub fn yaml_document(object: &Value) -> io::Result<String> {
    let yaml = serde_saphyr::to_string(object).map_err(io::Error::other)?;
    let text = match escape::is_clean(&yaml) {
        true => yaml,
        false => json_document(object)?,
    };
    Ok(format!("---\n{text}"))
}
