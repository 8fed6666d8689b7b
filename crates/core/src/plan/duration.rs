// SPDX-License-Identifier: Apache-2.0
//! Durations of the steps of one machine.

use std::time::Duration;

use super::Span;

const MINUTE: u64 = 60;

/// The timeouts of machine-controller-manager for the machines of a pool.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Timeouts {
    /// `machineCreationTimeout`: later, the machine has failed and another one is created.
    pub creation: Duration,
    /// `machineDrainTimeout`: later, pods are deleted, not evicted.
    pub drain: Duration,
    /// `inPlaceUpdateTimeout`: later, the update has failed and waits for a person.
    pub in_place: Duration,
}

impl Default for Timeouts {
    /// The values without settings of the pool.
    ///
    /// From ProviderSidecarContainer in `pkg/component/nodemanagement/machinecontrollermanager/provider.go`, and
    /// `pkg/util/provider/app/options/options.go` of machine-controller-manager.
    fn default() -> Self {
        Self {
            creation: Duration::from_secs(20 * MINUTE),
            drain: Duration::from_secs(120 * MINUTE),
            in_place: Duration::from_secs(20 * MINUTE),
        }
    }
}

/// Durations that no setting states: estimates, which a landscape replaces with its own figures.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Estimates {
    /// The creation of a machine until its node is ready, at best.
    pub creation_best: Duration,
    /// The same, typically.
    pub creation_typical: Duration,
    /// The same, at worst; `None` for the timeout of the pool, which also limits it.
    pub creation_worst: Option<Duration>,
    /// The drain of a node and the deletion of its machine, at best.
    pub removal_best: Duration,
    /// The same, typically.
    pub removal_typical: Duration,
    /// The same, at worst; `None` for the sum of the timeouts, which also limits it.
    pub removal_worst: Option<Duration>,
    /// The deletion of a drained machine by the infrastructure, at worst.
    pub deletion_worst: Duration,
    /// The update of a drained node in place, at best.
    pub update_best: Duration,
    /// The same, typically.
    pub update_typical: Duration,
    /// The drain and the update in place, at worst; `None` for the sum of the timeouts, which also limits it.
    pub update_worst: Option<Duration>,
}

impl Default for Estimates {
    fn default() -> Self {
        Self {
            creation_best: Duration::from_secs(2 * MINUTE),
            creation_typical: Duration::from_secs(4 * MINUTE),
            creation_worst: None,
            removal_best: Duration::from_secs(MINUTE),
            removal_typical: Duration::from_secs(6 * MINUTE),
            removal_worst: None,
            deletion_worst: Duration::from_secs(5 * MINUTE),
            update_best: Duration::from_secs(3 * MINUTE),
            update_typical: Duration::from_secs(8 * MINUTE),
            update_worst: None,
        }
    }
}

/// The time for the deletion of pods after the drain timeout.
///
/// From drainNode in `pkg/util/provider/machinecontroller/machine_util.go` of machine-controller-manager.
const FORCED_DRAIN: Duration = Duration::from_secs(MINUTE);

/// The longest pause between two looks at a node that is updated in place (MediumRetry).
///
/// From inPlaceUpdate in the same file.
const IN_PLACE_RETRY: Duration = Duration::from_secs(3 * MINUTE);

/// The durations of the steps of one machine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Steps {
    /// The creation of a machine until its node is ready.
    pub create: Span,
    /// The drain of a node, and the deletion of its machine.
    pub remove: Span,
    /// The drain of a node, and its update in place.
    pub update: Span,
}

impl Steps {
    /// Returns the durations for a pool's timeouts.
    pub fn new(timeouts: &Timeouts, estimates: &Estimates) -> Self {
        let drain = timeouts.drain.saturating_add(FORCED_DRAIN);
        let remove = drain.saturating_add(estimates.deletion_worst);
        let update = drain.saturating_add(timeouts.in_place).saturating_add(IN_PLACE_RETRY);
        let drained = |rest: Duration, removal: Duration| removal.saturating_add(rest);
        Self {
            create: Span::within(
                estimates.creation_best,
                estimates.creation_typical,
                at_most(timeouts.creation, estimates.creation_worst),
            ),
            remove: Span::within(
                estimates.removal_best,
                estimates.removal_typical,
                at_most(remove, estimates.removal_worst),
            ),
            update: Span::within(
                drained(estimates.update_best, estimates.removal_best),
                drained(estimates.update_typical, estimates.removal_typical),
                at_most(update, estimates.update_worst),
            ),
        }
    }
}

fn at_most(sum: Duration, worst: Option<Duration>) -> Duration {
    worst.map_or(sum, |worst| sum.min(worst))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(span: Span) -> [u64; 3] {
        [span.best, span.typical, span.worst].map(|it| it.as_secs() / MINUTE)
    }

    #[test]
    fn worst_is_the_sum_of_the_timeouts() {
        let steps = Steps::new(&Timeouts::default(), &Estimates::default());
        assert_eq!(minutes(steps.create), [2, 4, 20]);
        assert_eq!(minutes(steps.remove), [1, 6, 126]);
        assert_eq!(minutes(steps.update), [4, 14, 144]);
    }

    #[test]
    fn worst_of_the_landscape_shortens_the_sum_of_the_timeouts() {
        let worst = |minutes: u64| Some(Duration::from_secs(minutes * MINUTE));
        let estimates = Estimates {
            creation_worst: worst(10),
            removal_worst: worst(30),
            update_worst: worst(1000),
            ..Estimates::default()
        };
        let steps = Steps::new(&Timeouts::default(), &estimates);
        assert_eq!(minutes(steps.create), [2, 4, 10]);
        assert_eq!(minutes(steps.remove), [1, 6, 30]);
        assert_eq!(minutes(steps.update), [4, 14, 144]);
    }

    #[test]
    fn short_timeouts_shorten_the_estimates() {
        let timeouts = Timeouts { creation: Duration::from_secs(90), ..Timeouts::default() };
        let create = Steps::new(&timeouts, &Estimates::default()).create;
        assert_eq!(create, Span::within(create.worst, create.worst, Duration::from_secs(90)));
    }
}
