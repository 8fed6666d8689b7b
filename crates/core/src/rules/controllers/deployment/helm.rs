// SPDX-License-Identifier: Apache-2.0
//! The Helm chart of a ControllerDeployment.

use super::values::check_values;
use crate::admission::{FieldPath, Findings};
use crate::rules::shared::validation::{MALFORMED, MISSING, Part, check_oci_repository};
use garden_gate_text::go::base64_error;

/// Checks a chart, which is in field `raw` or in an OCI repository.
///
/// Gardener reports errors of both versions with the fields of `v1`.
pub(super) fn check_chart(
    helm: &Part<'_>,
    raw: &'static str,
    resources: &[Part<'_>],
    findings: &mut Findings,
) {
    let chart = helm.text_at(&[raw]);
    if let (Some(part), Some(why)) = (helm.at(&[raw]), base64_error(&chart)) {
        let message = format!("`{raw}` is not base64: {why}");
        findings.invalid(&MALFORMED, part.path().clone(), message).help("encode it with `base64`");
    }
    let repository = helm.at(&["ociRepository"]);
    if chart.is_empty() == repository.is_none() {
        let (message, help) = match repository {
            None => ("the chart is missing", "set `ociRepository`"),
            Some(_) => ("`ociRepository` excludes a raw chart", "remove one of them"),
        };
        findings.required(&MISSING, FieldPath::new("helm"), message).at(helm.path()).help(help);
    }
    if let Some(repository) = repository {
        check_oci_repository(&repository, &FieldPath::new("helm.ociRepository"), findings);
    }
    if let Some(values) = helm.at(&["values"]) {
        check_values(&values, resources, findings);
    }
}
