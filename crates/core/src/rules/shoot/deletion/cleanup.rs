// SPDX-License-Identifier: Apache-2.0
//! Effects of the cleanup annotations of a Shoot on its deletion.
//!
//! Mirrors `pkg/gardenlet/operation/botanist/cleanup.go`.

use garden_gate_text::go::atoi;

/// Annotation that makes Gardener skip most of the cluster's resources; its value does not matter.
pub(crate) const SKIP: &str = "shoot.gardener.cloud/skip-cleanup";

/// Annotations that Gardener no longer reads.
pub(crate) const REMOVED: [&str; 2] = [
    "shoot.gardener.cloud/cleanup-namespaces-finalize-grace-period-seconds",
    "shoot.gardener.cloud/infrastructure-cleanup-wait-period-seconds",
];

/// A step of the cleanup whose timeout is set by an annotation.
#[derive(Debug)]
pub(crate) struct Step {
    /// The annotation.
    pub(crate) key: &'static str,
    /// The resources that are cleaned up.
    pub(crate) what: &'static str,
    /// The upper limit: this value and larger ones are ignored.
    pub(crate) cap: i64,
    /// The share of the value that becomes the grace period of deletions, in percent.
    pub(crate) grace_percent: i64,
}

pub(crate) const KUBERNETES: &str =
    "shoot.gardener.cloud/cleanup-kubernetes-resources-finalize-grace-period-seconds";

pub(crate) static STEPS: [Step; 3] = [
    Step {
        key: "shoot.gardener.cloud/cleanup-webhooks-finalize-grace-period-seconds",
        what: "webhooks",
        cap: 300,
        grace_percent: 100,
    },
    Step {
        key: "shoot.gardener.cloud/cleanup-extended-apis-finalize-grace-period-seconds",
        what: "extended APIs",
        cap: 3600,
        grace_percent: 10,
    },
    Step { key: KUBERNETES, what: "Kubernetes resources", cap: 300, grace_percent: 100 },
];

/// Volume snapshots share the annotation with Kubernetes resources, but have their own limits.
pub(crate) static SNAPSHOTS: Step =
    Step { key: KUBERNETES, what: "volume snapshots", cap: 3600, grace_percent: 50 };

impl Step {
    /// Describes the effect of a value in seconds.
    pub(crate) fn effect(&self, seconds: i64) -> String {
        let Step { what, cap, .. } = self;
        if seconds >= *cap {
            return format!(
                "{what} keep the default: finalized after {cap} s, deleted with a grace period of 300 s"
            );
        }
        let grace = seconds.saturating_mul(self.grace_percent) / 100;
        let after = seconds.max(0);
        // The API server treats a negative grace period as one second.
        let grace = if grace < 0 { 1 } else { grace };
        format!("{what} are finalized after {after} s and deleted with a grace period of {grace} s")
    }
}

/// The meaning of an annotation's value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Period {
    /// Not a number: every attempt to delete the Shoot fails.
    Hangs,
    /// Accepted; finalizers are removed at once.
    Negative(i64),
    /// Finalizers are removed as soon as deletion is requested.
    Zero,
    /// Below the limit.
    Used(i64),
    /// Above the limit for Kubernetes resources, below that for snapshots.
    SnapshotsOnly(i64),
    /// Above the limit.
    Ignored(i64),
}

pub(crate) fn period(step: &Step, value: &str) -> Period {
    match atoi(value) {
        None => Period::Hangs,
        Some(0) => Period::Zero,
        Some(seconds) if seconds < 0 => Period::Negative(seconds),
        Some(seconds) if seconds < step.cap => Period::Used(seconds),
        Some(seconds) if step.key == KUBERNETES && seconds < SNAPSHOTS.cap => {
            Period::SnapshotsOnly(seconds)
        }
        Some(seconds) => Period::Ignored(seconds),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Period, SNAPSHOTS, STEPS, period};

    #[rstest]
    #[case(0, "0", Period::Zero)]
    #[case(0, "299", Period::Used(299))]
    #[case(0, "300", Period::Ignored(300))]
    #[case(0, "5m", Period::Hangs)]
    #[case(0, "", Period::Hangs)]
    #[case(0, " 5", Period::Hangs)]
    #[case(0, "-1", Period::Negative(-1))]
    #[case(0, "99999999999999999999", Period::Hangs)]
    #[case(1, "3599", Period::Used(3599))]
    #[case(1, "3600", Period::Ignored(3600))]
    #[case(2, "299", Period::Used(299))]
    #[case(2, "1800", Period::SnapshotsOnly(1800))]
    #[case(2, "3600", Period::Ignored(3600))]
    fn periods(#[case] step: usize, #[case] value: &str, #[case] expected: Period) {
        assert_eq!(period(&STEPS[step], value), expected);
    }

    #[test]
    fn grace_periods_are_cut() {
        let apis = STEPS[1].effect(605);
        assert_eq!(
            apis,
            "extended APIs are finalized after 605 s and deleted with a grace period of 60 s"
        );
        let snapshots = SNAPSHOTS.effect(1800);
        assert!(snapshots.ends_with("after 1800 s and deleted with a grace period of 900 s"));
    }
}
