// SPDX-License-Identifier: Apache-2.0
use serde_json::json;

use super::{Profile, Users};
use crate::admission::{FieldPath, FindingKind, Findings, Update, finding_kinds};
use crate::garden::{ProfileUsers, Unknown};
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

/// Checks that a changed limit is not below the minimum number of nodes of a Shoot.
///
/// `users` returns the Shoots that use the profile.
pub(crate) fn check_minimums<'a, P: Profile>(
    Update { new, old }: Update<'_, P>,
    users: impl FnOnce() -> Result<Vec<&'a ProfileUsers>, Unknown>,
    kind: &'static FindingKind,
    help: &str,
    findings: &mut Findings,
) {
    let (new, old) = (new.parts().limits, old.parts().limits);
    let Some(limit) = new.and_then(|limits| limits.max_nodes_total).filter(|_| new != old) else {
        return;
    };
    let path = FieldPath::new("spec.limits.maxNodesTotal");
    let what = "whether Shoots are larger than the limit";
    let Some(users) = findings.known(users(), &path, what) else {
        return;
    };
    let mut shoots = Users::default();
    for larger in users.iter().flat_map(|users| users.with_minimum_above(limit)) {
        shoots.add(larger, larger.len());
    }
    if shoots.count() > 0 {
        let message = format!(
            "a limit of `{limit}` nodes is below what the worker pools of {} have at least",
            shoots.describe("Shoot")
        );
        findings.forbid(kind, path, message).value(json!(limit)).help(help);
    }
}
