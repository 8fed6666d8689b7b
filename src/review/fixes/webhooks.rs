use serde_json::Value;

use crate::admission::Kind;
use crate::gardener::webhooks::{Reading, remediate_wholly};
use crate::report::Fix;

/// Returns a webhook configuration with Gardener's remediation applied.
///
/// Returns `None` if the remediation does not change it, or for other objects.
pub(crate) fn fix(name: &str, object: &Value) -> anyhow::Result<Option<Fix>> {
    let configurations = [Kind::ValidatingWebhookConfiguration, Kind::MutatingWebhookConfiguration];
    if !configurations.iter().any(|kind| object["kind"] == kind.as_str()) {
        return Ok(None);
    }
    let remediated = remediate_wholly(object, Reading::Defaulted);
    let fix = remediated.map(|remediated| Fix::new(name, object, remediated.manifest));
    Ok(fix.transpose()?)
}
