// SPDX-License-Identifier: Apache-2.0
//! Automatic update in place of the machines of one zone.

use std::time::Duration;

use super::{Limits, Span, Steps};

/// An automatic update in place of one zone.
///
/// As many new machines as `surge` replace old ones. The others are drained and updated, and keep their machines.
/// From rolloutInPlace in `pkg/controller/deployment_inplace.go` of machine-controller-manager.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    /// The number of machines.
    pub machines: u32,
    /// The limits for this number.
    pub limits: Limits,
}

impl InPlace {
    /// Returns the number of replaced machines.
    pub fn replaced(&self) -> u32 {
        self.limits.surge.min(self.machines)
    }

    /// Returns the number of machines that are updated and stay.
    pub fn updated(&self) -> u32 {
        self.machines - self.replaced()
    }

    /// Reports whether all machines are deleted at once, before the new ones are available.
    ///
    /// If the new machine set has the desired size, reconcileOldMachineSetsInPlace scales the old ones to 0 without
    /// a look at the availability. With a large surge, it has this size from the start.
    pub fn replaces_all_at_once(&self) -> bool {
        self.machines > 0 && self.updated() == 0
    }

    /// Returns the number of waves.
    pub fn waves(&self) -> u32 {
        if self.replaces_all_at_once() {
            return 1;
        }
        self.updated().div_ceil(self.limits.machines_per_wave())
    }

    /// Returns the lowest number of available machines.
    pub fn available(&self) -> u32 {
        if self.replaces_all_at_once() {
            return 0;
        }
        self.machines.saturating_sub(self.limits.unavailable)
    }

    /// Returns the duration.
    pub fn duration(&self, steps: &Steps) -> Span {
        if self.replaces_all_at_once() {
            return steps.create.beside(steps.remove);
        }
        if self.machines == 0 {
            return Span::default();
        }
        let worst = self.slowest(steps.create.worst, steps.update.worst, steps.remove.worst);
        let best = self.fastest(steps.create.best, steps.update.best, steps.remove.best);
        Span { best, typical: self.usual(steps).clamp(best, worst.max(best)), worst }
    }

    /// Returns a lower bound: machines are selected as soon as others are done.
    fn fastest(&self, create: Duration, update: Duration, remove: Duration) -> Duration {
        let (surge, unavailable) = (self.replaced(), self.limits.unavailable);
        // Two chains: `unavailable` machines from the start, and `surge` machines once the new ones are available.
        let selected = match update.as_nanos() {
            0 if unavailable > 0 => Duration::ZERO,
            0 => create,
            length => {
                let waits = u64::try_from(create.as_nanos().div_ceil(length)).unwrap_or(u64::MAX);
                let passed = u64::try_from(create.as_nanos() / length).unwrap_or(u64::MAX);
                self.last_selection(create, update, waits, passed)
            }
        };
        let rest = if surge > 0 { remove } else { Duration::ZERO };
        selected.saturating_add(update).saturating_add(rest)
    }

    /// Returns the earliest time at which the last machine is selected.
    ///
    /// The surge is available after `waits` whole updates, and `passed` updates end before.
    fn last_selection(
        &self,
        create: Duration,
        update: Duration,
        waits: u64,
        passed: u64,
    ) -> Duration {
        let need = i128::from(self.updated());
        let (surge, unavailable) =
            (i128::from(self.replaced()), i128::from(self.limits.unavailable));
        let size = (surge + unavailable).max(1);
        let (waits, passed) = (i128::from(waits), i128::from(passed));
        // At the end of the update with index `k`, `unavailable * (k + 1)` machines are selected, and
        // `surge * (k - waits + 1)` once the surge is available.
        let at_update = if unavailable > 0 && unavailable * waits >= need {
            (need + unavailable - 1) / unavailable - 1
        } else {
            ((need - unavailable + surge * (waits - 1) + size - 1).div_euclid(size)).max(waits)
        };
        let after_create =
            ((need - unavailable * (passed + 1) - surge + size - 1).div_euclid(size)).max(0);
        let times =
            |count: i128| update.saturating_mul(u32::try_from(count.max(0)).unwrap_or(u32::MAX));
        let at_update = times(at_update);
        if surge == 0 {
            return at_update;
        }
        at_update.min(create.saturating_add(times(after_create)))
    }

    /// Returns an upper bound.
    ///
    /// A machine that is being updated counts twice, as selected and as unavailable. Therefore, within the time of one
    /// update, at least half of a wave (rounded up) is selected, but not always a whole one.
    fn slowest(&self, create: Duration, update: Duration, remove: Duration) -> Duration {
        let half = self.limits.machines_per_wave().div_ceil(2);
        let updates = update.saturating_mul(self.updated().div_ceil(half));
        if self.replaced() == 0 {
            return updates;
        }
        create.saturating_add(updates).saturating_add(remove)
    }

    fn usual(&self, steps: &Steps) -> Duration {
        let updates = steps.update.typical.saturating_mul(self.waves());
        if self.replaced() == 0 {
            return updates;
        }
        let wait = if self.limits.unavailable == 0 { steps.create.typical } else { Duration::ZERO };
        wait.saturating_add(updates).saturating_add(steps.remove.typical)
    }
}
