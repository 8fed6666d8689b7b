use jiff::Timestamp;

use crate::model::{ExpirableVersion, LifecycleStage, MachineImageVersion};

const EXPIRED: &str = "expired";
const SUPPORTED: &str = "supported";
const UNAVAILABLE: &str = "unavailable";

/// Something that is classified over time: a Kubernetes version or a machine image version.
pub trait Classified {
    /// The fixed classification, if any.
    fn classification(&self) -> Option<&str>;
    /// When it expires, if ever.
    fn expiration_date(&self) -> Option<Timestamp>;
    /// The stages; if there are any they take the place of the two above.
    fn lifecycle(&self) -> &[LifecycleStage];
}

impl Classified for ExpirableVersion {
    fn classification(&self) -> Option<&str> {
        self.classification.as_deref()
    }

    fn expiration_date(&self) -> Option<Timestamp> {
        self.expiration_date
    }

    fn lifecycle(&self) -> &[LifecycleStage] {
        &self.lifecycle
    }
}

impl Classified for MachineImageVersion {
    fn classification(&self) -> Option<&str> {
        self.classification.as_deref()
    }

    fn expiration_date(&self) -> Option<Timestamp> {
        self.expiration_date
    }

    fn lifecycle(&self) -> &[LifecycleStage] {
        &self.lifecycle
    }
}

/// The classification at `now`; free text if the version says so.
///
/// Mirrors CurrentLifecycleClassification in `pkg/api/core/helper`: of the stages that have started, the one listed
/// last counts, and an instant equal to `now` has not started.
pub fn current_classification(version: &impl Classified, now: Timestamp) -> &str {
    let lifecycle = version.lifecycle();
    if !lifecycle.is_empty() {
        let mut started = lifecycle
            .iter()
            .filter(|stage| stage.start_time.is_none_or(|start| start < now));
        return started
            .next_back()
            .map_or(UNAVAILABLE, |stage| &stage.classification);
    }
    match version.expiration_date() {
        Some(date) if date < now => EXPIRED,
        _ => version.classification().unwrap_or(SUPPORTED),
    }
}

/// Neither expired nor unavailable at `now`.
pub fn is_active(version: &impl Classified, now: Timestamp) -> bool {
    !matches!(current_classification(version, now), EXPIRED | UNAVAILABLE)
}
