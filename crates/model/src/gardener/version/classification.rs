// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use crate::api::{ExpirableVersion, LifecycleStage, MachineImageVersion};

const DEPRECATED: &str = "deprecated";
const EXPIRED: &str = "expired";
const PREVIEW: &str = "preview";
const SUPPORTED: &str = "supported";
const UNAVAILABLE: &str = "unavailable";

/// A Kubernetes version or a machine image version, which is classified over time.
pub trait Classified {
    /// Returns the version as written.
    fn version(&self) -> &str;
    /// Returns the fixed classification, if any.
    fn classification(&self) -> Option<&str>;
    /// Returns the expiration date, if any.
    fn expiration_date(&self) -> Option<Timestamp>;
    /// Returns the stages; if there are any, they replace the two above.
    fn lifecycle(&self) -> &[LifecycleStage];
    /// Reports whether the list of stages is absent rather than empty.
    fn lifecycle_is_absent(&self) -> bool;
}

macro_rules! classified {
    ($($version:ident),+) => {$(
        impl Classified for $version {
            fn version(&self) -> &str {
                &self.version
            }

            fn classification(&self) -> Option<&str> {
                self.classification.as_deref()
            }

            fn expiration_date(&self) -> Option<Timestamp> {
                self.expiration_date
            }

            fn lifecycle(&self) -> &[LifecycleStage] {
                &self.lifecycle
            }

            fn lifecycle_is_absent(&self) -> bool {
                self.lifecycle.is_absent()
            }
        }
    )+};
}
classified!(ExpirableVersion, MachineImageVersion);

impl<T: Classified> Classified for &T {
    fn version(&self) -> &str {
        T::version(self)
    }

    fn classification(&self) -> Option<&str> {
        T::classification(self)
    }

    fn expiration_date(&self) -> Option<Timestamp> {
        T::expiration_date(self)
    }

    fn lifecycle(&self) -> &[LifecycleStage] {
        T::lifecycle(self)
    }

    fn lifecycle_is_absent(&self) -> bool {
        T::lifecycle_is_absent(self)
    }
}

/// Returns the classification at `now`, which may be free text of the version.
///
/// Mirrors CurrentLifecycleClassification in `pkg/api/core/helper`: of the stages that have started, the last one in the list
/// applies, and a stage whose start time equals `now` has not started.
pub fn current_classification(version: &impl Classified, now: Timestamp) -> &str {
    let lifecycle = version.lifecycle();
    if !lifecycle.is_empty() {
        let mut started =
            lifecycle.iter().filter(|stage| stage.start_time.is_none_or(|start| start < now));
        return started.next_back().map_or(UNAVAILABLE, |stage| &stage.classification);
    }
    match version.expiration_date() {
        Some(date) if date < now => EXPIRED,
        _ => version.classification().unwrap_or(SUPPORTED),
    }
}

/// Reports whether the version is neither expired nor unavailable at `now`.
pub fn is_active(version: &impl Classified, now: Timestamp) -> bool {
    !matches!(current_classification(version, now), EXPIRED | UNAVAILABLE)
}

/// Reports whether the version is expired at `now`.
pub fn is_expired(version: &impl Classified, now: Timestamp) -> bool {
    current_classification(version, now) == EXPIRED
}

/// Reports whether the version is not yet released at `now`.
pub fn is_unavailable(version: &impl Classified, now: Timestamp) -> bool {
    current_classification(version, now) == UNAVAILABLE
}

/// Reports whether the version is supported at `now`.
///
/// This is also the default without any classification.
pub fn is_supported(version: &impl Classified, now: Timestamp) -> bool {
    current_classification(version, now) == SUPPORTED
}

/// Reports whether the version is in preview at `now`.
pub fn is_preview(version: &impl Classified, now: Timestamp) -> bool {
    current_classification(version, now) == PREVIEW
}

/// Reports whether the version is deprecated at `now`.
pub fn is_deprecated(version: &impl Classified, now: Timestamp) -> bool {
    current_classification(version, now) == DEPRECATED
}

/// Returns the position of a classification in the lifecycle; unknown text ranks with `unavailable`.
pub fn rank(classification: &str) -> u8 {
    match classification {
        PREVIEW => 1,
        SUPPORTED => 2,
        DEPRECATED => 3,
        EXPIRED => 4,
        _ => 0,
    }
}

/// Returns the expiration time of the version: its date, or the start of its stage `expired`.
pub fn expiry(version: &impl Classified) -> Option<Timestamp> {
    if version.lifecycle().is_empty() {
        return version.expiration_date();
    }
    let expired = version.lifecycle().iter().rfind(|stage| stage.classification == EXPIRED);
    expired.and_then(|stage| stage.start_time)
}
