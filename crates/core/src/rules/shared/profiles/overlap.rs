// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use crate::admission::{Context, FieldPath, Findings, finding_kinds};
use garden_gate_model::api::Versions;
use garden_gate_model::gardener::version::{Classified, supported_overlaps};

finding_kinds! {
    pub(crate) OVERLAP = "cloudprofile/supported-overlap": "two versions of one minor version are classified `supported`",
}

/// The versions of Gardener in which stages of a lifecycle count as classifications.
const COUNTS_STAGES: Versions = Versions::until(148);

/// Settings of a request by which versions of a profile are classified.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LifecycleSettings {
    /// The current time.
    pub now: Timestamp,
    /// Whether the feature gate `VersionClassificationLifecycle` is enabled.
    pub is_enabled: bool,
    /// Whether stages count as classifications.
    counts_stages: bool,
}

impl LifecycleSettings {
    pub(crate) fn of(context: &Context<'_>) -> Self {
        let gates = &context.config.feature_gates;
        Self {
            now: context.now,
            is_enabled: gates.version_classification_lifecycle,
            counts_stages: context.runs(COUNTS_STAGES),
        }
    }
}

/// Checks that at most one version of each minor version is supported; all versions belong to one list.
pub(crate) fn check_overlaps<T: Classified>(
    versions: &[T],
    settings: LifecycleSettings,
    place: impl Fn(usize) -> FieldPath,
    findings: &mut Findings,
) {
    let terms = (settings.now, settings.counts_stages);
    for overlap in supported_overlaps(versions, terms) {
        let version = versions[overlap.index].version();
        let others = overlap.others.iter().map(|index| format!("`{}`", versions[*index].version()));
        let others = super::name_some(others, overlap.count);
        let message = format!(
            "version `{version}` is classified `supported`, and so is {others} of the same minor version"
        );
        let path = place(overlap.index);
        findings
            .forbid(&OVERLAP, path, message)
            .value(version)
            .help("classify all but one of them `deprecated` or `preview`");
    }
}
