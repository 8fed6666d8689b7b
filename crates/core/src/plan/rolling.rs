// SPDX-License-Identifier: Apache-2.0
//! Rolling update of the machines of one zone.

use std::time::Duration;

use super::Limits;

/// A rolling update of one zone, which may also get another number of machines.
///
/// machine-controller-manager creates a machine if fewer than `after + surge` exist, those being deleted included.
/// It deletes an old one if more than `after - unavailable` are available.
/// From rolloutRolling in `pkg/controller/deployment_rolling.go`, and NewISNewReplicas in
/// `pkg/controller/deployment_util.go`.
#[derive(Clone, Copy, Debug)]
pub struct Rolling {
    /// The number of machines before the update.
    pub before: u32,
    /// The desired number of machines.
    pub after: u32,
    /// The limits for the desired number.
    pub limits: Limits,
}

/// Machines that are created or removed at the same time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Batch {
    /// The time since the start of the update.
    pub at: Duration,
    /// The number of machines whose creation starts.
    pub created: u32,
    /// The number of machines whose removal starts.
    pub removed: u32,
}

impl Rolling {
    /// Returns the number of replaced machines.
    pub fn replaced(&self) -> u32 {
        self.before.min(self.after)
    }

    /// Reports whether all machines are deleted, and all new ones created, at the same time.
    ///
    /// If no machine set has machines, isScalingEvent in `pkg/controller/deployment_sync.go` reports a scale from 0,
    /// so that the new machine set gets its desired size at once, while the old machines are drained.
    pub fn replaces_all_at_once(&self) -> bool {
        let is_filled = self.before > 0 && self.after > 0;
        is_filled && self.room() <= 0 && self.removed_first() == self.before
    }

    /// Returns the number of waves, each with as many replacements at the same time as possible.
    pub fn waves(&self) -> u32 {
        self.replaced().div_ceil(self.limits.machines_per_wave())
    }

    /// Returns the number of machines that are created by mistake, and deleted at once.
    ///
    /// If the number of machines changes, too, scale in `pkg/controller/deployment_sync.go` fills up to
    /// `after + surge` machines, even if the new machine set then has more than `after`.
    pub fn excess(&self) -> u32 {
        if self.replaced() == 0 || self.before == self.after {
            return 0;
        }
        self.limits.surge.saturating_sub(self.before)
    }

    /// Returns the highest number of machines at a time.
    pub fn peak(&self) -> u32 {
        self.before.saturating_add(self.created_first()).saturating_add(self.excess())
    }

    /// Returns the lowest number of available machines.
    pub fn available(&self) -> u32 {
        self.before.min(self.after.saturating_sub(self.limits.unavailable))
    }

    /// Returns the number of machines whose creation starts at once.
    pub fn created_first(&self) -> u32 {
        if self.replaces_all_at_once() {
            return self.after;
        }
        clamped(self.room(), self.after)
    }

    /// Returns the number of machines whose removal starts at once.
    pub fn removed_first(&self) -> u32 {
        clamped(self.spare(), self.before)
    }

    /// Returns the number of machines that may be created at once; negative if too many exist.
    fn room(&self) -> i64 {
        i64::from(self.limits.surge) + i64::from(self.after) - i64::from(self.before)
    }

    /// Returns the number of machines that may be removed at once; negative if too few exist.
    fn spare(&self) -> i64 {
        i64::from(self.limits.unavailable) + i64::from(self.before) - i64::from(self.after)
    }

    /// Returns the duration if all creations last equally long, and all removals.
    ///
    /// The replacements form two interleaved chains: those that start with a creation, and those that start with a
    /// removal. In both, a wave lasts as long as a creation and a removal.
    pub fn duration(&self, create: Duration, remove: Duration) -> Duration {
        if self.replaces_all_at_once() {
            return create.max(remove);
        }
        let wave = create.saturating_add(remove);
        let created = self.last(self.after, self.room(), self.spare(), wave, remove);
        let removed = self.last(self.before, self.spare(), self.room(), wave, create);
        let created = created.map_or(Duration::ZERO, |it| it.saturating_add(create));
        let removed = removed.map_or(Duration::ZERO, |it| it.saturating_add(remove));
        created.max(removed)
    }

    /// Returns the time at which the last of `total` actions starts; `None` if there are none.
    ///
    /// `first` actions start at once, if positive. If `others`, the opposite actions that start at once, is
    /// positive, each of them lasts `other`, and is followed by actions of this type.
    fn last(
        &self,
        total: u32,
        first: i64,
        others: i64,
        wave: Duration,
        other: Duration,
    ) -> Option<Duration> {
        let size = i64::from(self.limits.machines_per_wave());
        let total = i64::from(total);
        if total == 0 {
            return None;
        }
        let own = (first > 0).then(|| times(wave, div_ceil((total - first).max(0), size)));
        let after_others = (others > 0)
            .then(|| other.saturating_add(times(wave, (div_ceil(total, size) - 1).max(0))));
        match (own, after_others) {
            (Some(own), Some(after_others)) => Some(own.min(after_others)),
            (own, after_others) => own.or(after_others),
        }
    }

    /// Returns the batches in order, at most `most`, if all creations last equally long, and all removals.
    pub fn batches(&self, create: Duration, remove: Duration, most: usize) -> Vec<Batch> {
        if self.replaces_all_at_once() {
            let at = Duration::ZERO;
            return vec![Batch { at, created: self.after, removed: self.before }];
        }
        let wave = create.saturating_add(remove);
        let size = i64::from(self.limits.machines_per_wave());
        let (room, spare) = (self.room(), self.spare());
        let mut totals: Vec<(Duration, i64, i64)> = Vec::new();
        for index in 0..=u32::try_from(most).unwrap_or(u32::MAX) {
            let at = wave.saturating_mul(index);
            let before = i64::from(index).saturating_mul(size);
            let done = before.saturating_add(size);
            if room > 0 {
                totals.push((at, room.saturating_add(before), 0));
                totals.push((at.saturating_add(create), 0, done));
            }
            if spare > 0 {
                totals.push((at, 0, spare.saturating_add(before)));
                totals.push((at.saturating_add(remove), done, 0));
            }
            if before >= i64::from(self.before.max(self.after)) {
                break;
            }
        }
        totals.sort_unstable();
        let mut batches: Vec<Batch> = Vec::new();
        let (mut created, mut removed) = (0, 0);
        for (at, creations, removals) in totals {
            let creations = clamped(creations, self.after).max(created);
            let removals = clamped(removals, self.before).max(removed);
            if (creations, removals) == (created, removed) {
                continue;
            }
            let (more, fewer) = (creations - created, removals - removed);
            (created, removed) = (creations, removals);
            match batches.last_mut().filter(|it| it.at == at) {
                Some(batch) => {
                    batch.created += more;
                    batch.removed += fewer;
                }
                None => batches.push(Batch { at, created: more, removed: fewer }),
            }
        }
        batches.truncate(most);
        batches
    }
}

fn clamped(number: i64, most: u32) -> u32 {
    u32::try_from(number.clamp(0, i64::from(most))).unwrap_or(most)
}

fn div_ceil(number: i64, divisor: i64) -> i64 {
    (number + divisor - 1) / divisor
}

fn times(duration: Duration, count: i64) -> Duration {
    duration.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolling(before: u32, after: u32, surge: u32, unavailable: u32) -> Rolling {
        Rolling { before, after, limits: Limits { surge, unavailable, is_forced: false } }
    }

    fn minutes(rolling: &Rolling, create: u64, remove: u64) -> u64 {
        let minute = |it| Duration::from_secs(it * 60);
        rolling.duration(minute(create), minute(remove)).as_secs() / 60
    }

    #[test]
    fn wave_lasts_a_creation_and_a_removal() {
        assert_eq!(minutes(&rolling(3, 3, 1, 0), 5, 10), 45);
        assert_eq!(minutes(&rolling(3, 3, 0, 1), 5, 10), 45);
        assert_eq!(minutes(&rolling(4, 4, 2, 0), 5, 10), 30);
        assert_eq!(minutes(&rolling(5, 5, 1, 1), 5, 10), 40);
        assert_eq!(minutes(&rolling(0, 3, 1, 0), 5, 10), 5);
        assert_eq!(minutes(&rolling(3, 0, 0, 0), 5, 10), 10);
        assert_eq!(minutes(&rolling(0, 0, 0, 0), 5, 10), 0);
    }

    #[test]
    fn largest_numbers_do_not_overflow() {
        let most = rolling(u32::MAX, u32::MAX, u32::MAX, u32::MAX);
        assert_eq!(most.waves(), 1);
        assert_eq!(most.duration(Duration::MAX, Duration::MAX), Duration::MAX);
        let slow = rolling(u32::MAX, u32::MAX, 1, 0);
        assert_eq!(slow.batches(Duration::MAX, Duration::MAX, 10).len(), 2);
    }
}
