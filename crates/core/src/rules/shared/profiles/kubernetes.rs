// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use jiff::Timestamp;

use super::kubernetes_versions;
use crate::admission::{Findings, finding_kinds};
use garden_gate_model::api::ExpirableVersion;
use garden_gate_model::gardener::version::latest;

finding_kinds! {
    pub(crate) MISSING = "cloudprofile/kubernetes-versions-missing": "the profile has no Kubernetes version",
    pub(crate) LATEST_UNKNOWN = "cloudprofile/kubernetes-latest-undetermined": "the highest Kubernetes version cannot be determined",
    pub(crate) LATEST_EXPIRATION = "cloudprofile/kubernetes-latest-expiration": "the highest Kubernetes version has an expiration date",
    pub(crate) LATEST_EXPIRED = "cloudprofile/kubernetes-latest-lifecycle-expired": "the lifecycle of the highest Kubernetes version ends with `expired`",
    pub(crate) MALFORMED = "cloudprofile/kubernetes-version-malformed": "a Kubernetes version does not have the format `1.31.4`",
    pub(crate) DUPLICATE = "cloudprofile/kubernetes-version-duplicate": "a Kubernetes version is listed twice",
}

/// Checks that a version exists, and that the highest never expires.
///
/// Mirrors validateCloudProfileKubernetesSettings in `pkg/api/core/validation/cloudprofile.go`.
pub(crate) fn check_latest(
    versions: &[ExpirableVersion],
    spec: &'static str,
    now: Timestamp,
    findings: &mut Findings,
) {
    let path = kubernetes_versions(spec);
    if versions.is_empty() {
        let message = "a profile needs at least one Kubernetes version that has not expired";
        findings
            .required(&MISSING, path.clone(), message)
            .help("add a version without an expiration date");
    }
    let Some(found) = latest(versions, now, false) else {
        let message = "the highest Kubernetes version cannot be determined, because there is none or one cannot be read";
        findings
            .invalid(&LATEST_UNKNOWN, path, message)
            .help("write every version as three numbers, as in `1.31.4`");
        return;
    };
    let version = &versions[found.overall];
    let name = &version.version;
    let place = path.index(found.overall);
    // Gardener reports both without an index.
    let reported = |field: &'static str| path.any_index().child(field);
    if let Some(date) = version.expiration_date {
        let message = format!(
            "version `{name}` is the highest, so it must not have an expiration date; it has `{date}`"
        );
        let field = reported("expirationDate");
        findings
            .invalid(&LATEST_EXPIRATION, field, message)
            .value(date.to_string())
            .at(&place.child("expirationDate"))
            .help("remove the date, or add a higher version first");
    }
    if let Some(last) = version.lifecycle.last()
        && last.classification == "expired"
    {
        let message = format!(
            "version `{name}` is the highest, so its lifecycle must not end with `expired`"
        );
        let field = reported("lifecycle");
        findings
            .invalid(&LATEST_EXPIRED, field, message)
            .value("expired")
            .at(&place.child("lifecycle"))
            .help("remove the last stage, or add a higher version first");
    }
}

/// Checks that each version is well-formed and unique.
///
/// Mirrors validateKubernetesVersions in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_versions(
    versions: &[ExpirableVersion],
    spec: &'static str,
    findings: &mut Findings,
) {
    let mut seen = HashSet::new();
    for (index, version) in versions.iter().map(|it| it.version.as_str()).enumerate() {
        let path = || kubernetes_versions(spec).index(index);
        if !is_three_numbers(version) {
            let message = format!("Kubernetes version `{version}` is not three numbers with dots");
            findings
                .invalid(&MALFORMED, path(), message)
                .value(version)
                .help("write it as in `1.31.4`, without `v`, pre-release or build");
        } else if !seen.insert(version) {
            let message = format!("Kubernetes version `{version}` is already in the list");
            let path = path().child("version");
            findings
                .duplicate(&DUPLICATE, path, message)
                .value(version)
                .help("remove one of the two entries");
        }
    }
}

fn is_three_numbers(version: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    version.split('.').count() == 3 && version.split('.').all(number)
}
