// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use jiff::Timestamp;

use crate::admission::{FieldPath, Findings, finding_kinds};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::LifecycleStage;
use garden_gate_model::gardener::version::{Classified, rank};

finding_kinds! {
    pub(crate) GATE_OFF = "cloudprofile/lifecycle-feature-gate": "a version has a lifecycle, but the feature gate VersionClassificationLifecycle is disabled",
    pub(crate) CLASSIFICATION = "cloudprofile/classification-unsupported": "a version has an unsupported classification",
    pub(crate) EXPIRED_EXPLICITLY = "cloudprofile/classification-expired-explicit": "a version is classified `expired` instead of having an expiration date",
    pub(crate) MIXED = "cloudprofile/lifecycle-mixed": "a version has a lifecycle next to a classification or an expiration date",
    pub(crate) STAGE_UNSUPPORTED = "cloudprofile/lifecycle-stage-unsupported": "a lifecycle stage has an unsupported classification",
    pub(crate) STAGE_DUPLICATE = "cloudprofile/lifecycle-stage-duplicate": "two lifecycle stages have the same classification",
    pub(crate) STAGE_ORDER = "cloudprofile/lifecycle-stage-order": "the lifecycle stages are not in the required order",
    pub(crate) START_MISSING = "cloudprofile/lifecycle-start-missing": "a lifecycle stage other than the first has no start time",
    pub(crate) START_ORDER = "cloudprofile/lifecycle-start-order": "a lifecycle stage starts before the preceding one",
}

/// Classifications, sorted as in Gardener's messages.
const CLASSIFICATIONS: [&str; 4] = ["deprecated", "expired", "preview", "supported"];

/// Checks the lifecycle of a version; `place` is called only for violations.
///
/// Mirrors validateExpirableVersion in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_lifecycle(
    version: &impl Classified,
    gate_is_on: bool,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let name = version.version();
    let stages = version.lifecycle();
    if !stages.is_empty() && !gate_is_on {
        let message = format!(
            "version `{name}` has a lifecycle, but the feature gate VersionClassificationLifecycle is off"
        );
        let path = place().child("lifecycle");
        findings
            .forbid(&GATE_OFF, path, message)
            .help("use `classification` and `expirationDate`, or turn the feature gate on");
        return;
    }
    if let Some(classification) = version.classification() {
        check_classification(version, classification, place, findings);
    }
    let legacy = version.classification().is_some() || version.expiration_date().is_some();
    if legacy && !stages.is_empty() {
        let message =
            format!("version `{name}` has a lifecycle next to a classification or expiration date");
        findings.forbid(&MIXED, place(), message).help("keep the lifecycle, or keep the other two");
    }
    check_stages(stages, place, findings);
}

fn check_classification(
    version: &impl Classified,
    classification: &str,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let name = version.version();
    let path = || place().child("classification");
    if !CLASSIFICATIONS.contains(&classification) {
        let message = format!(
            "classification `{classification}` of version `{name}` does not exist; there are {}",
            allowed()
        );
        findings.unsupported(&CLASSIFICATION, path(), message).value(classification).help(
            "use one of them, or leave the classification out for a version that is supported",
        );
    }
    if classification == "expired" && version.lifecycle_is_absent() {
        let message = format!("version `{name}` cannot be classified `expired` directly");
        findings
            .forbid(&EXPIRED_EXPLICITLY, path(), message)
            .value(classification)
            .help("set `expirationDate`, or remove the version");
    }
}

fn allowed() -> String {
    CLASSIFICATIONS.map(|c| format!("`{c}`")).join(", ")
}

fn check_stages(stages: &[LifecycleStage], place: &dyn Fn() -> FieldPath, findings: &mut Findings) {
    let mut seen = HashSet::new();
    let mut last_start = None;
    for (index, stage) in stages.iter().enumerate() {
        let path = || place().child("lifecycle").index(index);
        let classification = stage.classification.as_str();
        if !CLASSIFICATIONS.contains(&classification) {
            let message = format!(
                "classification `{classification}` does not exist; there are {}",
                allowed()
            );
            let path = path().child("classification");
            findings
                .unsupported(&STAGE_UNSUPPORTED, path, message)
                .value(classification)
                .help(one_of(classification, &CLASSIFICATIONS));
        }
        if !seen.insert(classification) {
            let message = format!("there is already a stage `{classification}`");
            let path = path().child("classification");
            findings
                .duplicate(&STAGE_DUPLICATE, path, message)
                .value(classification)
                .help("remove one of the two stages");
        }
        if index > 0 {
            check_successor(&stages[index - 1], stage, last_start, &path, findings);
        }
        last_start = stage.start_time.or(last_start);
    }
}

fn check_successor(
    before: &LifecycleStage,
    stage: &LifecycleStage,
    last_start: Option<Timestamp>,
    path: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let (first, second) = (&before.classification, &stage.classification);
    if rank(first) > rank(second) {
        let message = format!(
            "stage `{second}` cannot follow `{first}`; the order is `preview`, `supported`, `deprecated`, `expired`"
        );
        let path = path().child("classification");
        findings
            .invalid(&STAGE_ORDER, path, message)
            .value(second.as_str())
            .help("list the stages in that order");
    }
    match (stage.start_time, last_start) {
        (None, _) => {
            let message = format!("stage `{second}` is not the first, so it needs a start time");
            findings.required(&START_MISSING, path(), message).help("set `startTime`");
        }
        (Some(start), Some(last)) if start < last => {
            let message = format!(
                "stage `{second}` starts at `{start}`, before an earlier stage does (`{last}`)"
            );
            findings
                .invalid(&START_ORDER, path(), message)
                .value(start.to_string())
                .help("let it start when the stage before it has started, or later");
        }
        (Some(_), _) => {}
    }
}
