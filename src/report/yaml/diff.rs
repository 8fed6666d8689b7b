use std::time::Duration;

use serde_json::Value;
use similar::TextDiff;

use crate::escape::value;

/// Time for the search for the shortest diff, which is quadratic in the differences; after it, whole blocks are replaced.
const SEARCH: Duration = Duration::from_secs(2);

/// The difference of two objects as a unified diff of YAML; each comes with its name in the header.
///
/// # Errors
/// When an object cannot be written as YAML.
pub fn diff(
    (old_name, old): (&str, &Value),
    (new_name, new): (&str, &Value),
) -> Result<String, serde_saphyr::SerializeError> {
    let [old, new] = [serde_saphyr::to_string(old)?, serde_saphyr::to_string(new)?];
    let diff = TextDiff::configure().timeout(SEARCH).diff_lines(&old, &new);
    let mut unified = diff.unified_diff();
    let unified = unified.header(&value(old_name), &value(new_name));
    Ok(unified.to_string())
}
