use serde_json::json;

use super::Report;
use crate::engine::{ErrorType, FieldPath, FindingKind, Offence};
use crate::model::Limits;

pub(in crate::rules) static NOT_POSITIVE: FindingKind = FindingKind {
    id: "cloudprofile/limit-not-positive",
    summary: "the limit on nodes is zero or negative",
};

/// Checks that a limit allows anything at all.
///
/// Mirrors validateCloudProfileLimits in `pkg/api/core/validation/cloudprofile.go`.
pub(in crate::rules) fn check_positive(limits: Limits, report: &mut Report<'_>) {
    if let Some(limit) = limits.max_nodes_total.filter(|limit| *limit <= 0) {
        let message = format!("a limit of `{limit}` nodes allows no Shoot at all");
        let path = FieldPath::new("spec.limits.maxNodesTotal");
        let offence = Offence::new(&NOT_POSITIVE, ErrorType::Invalid, path, message);
        report(
            offence
                .value(json!(limit))
                .help("set a positive number, or remove the limit"),
        );
    }
}
