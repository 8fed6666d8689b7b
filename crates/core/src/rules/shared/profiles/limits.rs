use serde_json::json;

use crate::admission::{FieldPath, Findings, finding_kinds};
use garden_gate_model::api::Limits;

finding_kinds! {
    pub(crate) NOT_POSITIVE = "cloudprofile/limit-not-positive": "the node limit is zero or negative",
}

/// Checks that a limit is positive.
///
/// Mirrors validateCloudProfileLimits in `pkg/api/core/validation/cloudprofile.go`.
pub(crate) fn check_positive(limits: Limits, findings: &mut Findings) {
    if let Some(limit) = limits.max_nodes_total.filter(|limit| *limit <= 0) {
        let message = format!("a limit of `{limit}` nodes allows no Shoot at all");
        let path = FieldPath::new("spec.limits.maxNodesTotal");
        findings
            .invalid(&NOT_POSITIVE, path, message)
            .value(json!(limit))
            .help("set a positive number, or remove the limit");
    }
}
