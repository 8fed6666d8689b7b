// SPDX-License-Identifier: Apache-2.0
//! Fixes of webhook configurations, by Gardener's remediation.

use serde_saphyr::SerializeError;

use crate::report::Fix;
use crate::review::subject::Subject;
use garden_gate_core::admission::Kind;
use garden_gate_model::gardener::webhooks::{Reading, remediate_wholly};

/// Returns a webhook configuration with Gardener's remediation applied.
///
/// Returns `None` if the remediation does not change it, or for other objects.
///
/// # Errors
/// Fails if the difference cannot be formatted.
pub fn remediated(subject: &Subject) -> Result<Option<Fix>, SerializeError> {
    let Some(object) = subject.object().map(|it| it.to_value()) else {
        return Ok(None);
    };
    let configurations = [Kind::ValidatingWebhookConfiguration, Kind::MutatingWebhookConfiguration];
    if !configurations.iter().any(|kind| object["kind"] == kind.as_str()) {
        return Ok(None);
    }
    let remediated = remediate_wholly(&object, Reading::Defaulted);
    let fix = remediated.map(|remediated| Fix::new(&subject.file, &object, remediated.manifest));
    fix.transpose()
}
