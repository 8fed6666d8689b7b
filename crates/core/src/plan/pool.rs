// SPDX-License-Identifier: Apache-2.0
//! The plan of a worker pool.

use super::{Action, Amount, Bounds, Limits, Span, Steps, Unknown, Zone, ZonePlan, share};

/// The size of a pool.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Size {
    /// The minimum number of machines.
    pub minimum: u32,
    /// The maximum number of machines.
    pub maximum: u32,
    /// The zones; a pool without zones counts as one zone.
    pub zones: Vec<String>,
}

/// A pool before and after a change.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The name.
    pub name: String,
    /// The size before the change; `None` for a new pool.
    pub before: Option<Size>,
    /// The size after the change; `None` for a removed pool.
    pub after: Option<Size>,
    /// The numbers of machines in the zones before the change; empty if unknown.
    pub current: Vec<u32>,
    /// `maxSurge`.
    pub surge: Amount,
    /// `maxUnavailable`.
    pub unavailable: Amount,
    /// Reports whether every zone gets the whole surge and unavailability, as with the provider `local`.
    pub is_undivided: bool,
    /// The effect on the machines that stay.
    pub action: Action,
    /// Reports whether the effect is certain; otherwise, machines may also stay as they are.
    pub is_certain: bool,
    /// The changed fields and requested operations that cause the effect.
    pub causes: Vec<String>,
    /// The machine type after the change, or before if the pool is removed.
    pub machine_type: String,
    /// The machine type before the change, if it is another one.
    pub old_machine_type: Option<String>,
    /// The durations for one machine.
    pub steps: Steps,
}

/// The sums over zones or pools.
///
/// All zones and pools change at the same time, each as its own MachineDeployment.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Totals {
    /// The number of machines before the change.
    pub before: Bounds,
    /// The number of machines after the change.
    pub after: Bounds,
    /// The number of replaced machines.
    pub replaced: Bounds,
    /// The number of machines that are updated in place and stay.
    pub updated: Bounds,
    /// The number of created machines that replace no other one.
    pub created: Bounds,
    /// The number of deleted machines that are not replaced.
    pub deleted: Bounds,
    /// The number of waves of the zone with the most.
    pub waves: Bounds,
    /// The number of additional machines at a time.
    pub extra: Bounds,
    /// The lowest number of available machines during the change.
    pub available: Bounds,
    /// The duration of all zones and pools whose duration is known, removed ones last.
    pub time: Span,
    /// The number of machines that wait until a user selects them.
    pub waiting: Bounds,
    /// Reports whether the duration of a zone is unknown for another reason.
    pub is_untimed: bool,
}

/// The plan of a pool.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PoolPlan {
    /// The name.
    pub name: String,
    /// The effect on the machines that stay.
    pub action: Action,
    /// Reports whether the effect is certain; otherwise, machines may also stay as they are.
    pub is_certain: bool,
    /// The changed fields and requested operations that cause the effect.
    pub causes: Vec<String>,
    /// The machine type after the change, or before if the pool is removed.
    pub machine_type: String,
    /// The machine type before the change, if it is another one.
    pub old_machine_type: Option<String>,
    /// The minimum after the change; `None` if the pool is new or removed.
    pub minimum: Option<u32>,
    /// The highest number of machines during an update of the largest size.
    pub peak: u32,
    /// The zones, removed ones last.
    pub zones: Vec<ZonePlan>,
    /// The sums over the zones.
    pub totals: Totals,
}

impl Pool {
    /// Returns the plan; `None` if it evaluates more possibilities than are left of `budget`.
    pub fn plan(&self, budget: &mut u32) -> Option<PoolPlan> {
        let zones = self.zones();
        let needed = zones.iter().map(Zone::possibilities).fold(0, u32::saturating_add);
        *budget = budget.checked_sub(needed)?;
        let zones: Vec<ZonePlan> = zones.iter().map(|zone| self.plan_of(zone)).collect();
        let kept = self.before.as_ref().and(self.after.as_ref());
        Some(PoolPlan {
            name: self.name.clone(),
            action: self.action,
            is_certain: self.is_certain,
            causes: self.causes.clone(),
            machine_type: self.machine_type.clone(),
            old_machine_type: self.old_machine_type.clone(),
            minimum: kept.map(|size| size.minimum),
            peak: self.peak(),
            totals: Totals::of(&zones),
            zones,
        })
    }

    /// Returns the plan of a zone; without certainty, it also covers that machines stay.
    fn plan_of(&self, zone: &Zone) -> ZonePlan {
        let plan = zone.plan();
        if self.is_certain {
            return plan;
        }
        plan.or(Zone { action: Action::Keep, ..zone.clone() }.plan())
    }

    /// Returns the zones, matched by index, as the names of MachineDeployments are.
    fn zones(&self) -> Vec<Zone> {
        let before = self.before.as_ref().map_or(0, Size::count);
        let after = self.after.as_ref().map_or(0, Size::count);
        (0..before.max(after)).map(|index| self.zone(index)).collect()
    }

    fn zone(&self, index: u32) -> Zone {
        let before = self.before.as_ref().filter(|it| index < it.count());
        let after = self.after.as_ref().filter(|it| index < it.count());
        let current = self.current.get(index as usize).copied().map(Bounds::exactly);
        let known = before.map(|size| current.unwrap_or_else(|| size.of_zone(index)));
        let name = after.or(before).map(|size| size.name(index, &self.name));
        let (surge, unavailable) = match after {
            Some(size) => self.limits(size, index),
            None => (self.surge, self.unavailable),
        };
        Zone {
            name: name.unwrap_or_default(),
            before: known.unwrap_or_default(),
            size: after.map(|size| size.of_zone(index)).map(|it| (it.least, it.most)),
            is_new: before.is_none(),
            surge,
            unavailable,
            action: self.action,
            steps: self.steps,
        }
    }

    /// Returns the shares of a zone: that of `maxSurge` in relation to the maximum, the other to the minimum.
    ///
    /// From generateMachineConfig in `pkg/controller/worker/machines.go` of provider extensions, and in
    /// `pkg/provider-local/controller/worker/machines.go`.
    fn limits(&self, size: &Size, index: u32) -> (Amount, Amount) {
        if self.is_undivided {
            return (self.surge, self.unavailable);
        }
        let zones = size.count();
        let surge = self.surge.share(index, zones, size.maximum);
        (surge, self.unavailable.share(index, zones, size.minimum))
    }

    /// Returns the number of machines of the largest pool during an update.
    pub(super) fn peak(&self) -> u32 {
        let Some(size) = &self.after else { return 0 };
        let zones = (0..size.count()).map(|index| {
            let most = share(index, size.count(), size.maximum);
            let (surge, unavailable) = self.limits(size, index);
            most.saturating_add(Limits::resolve(surge, unavailable, most).surge)
        });
        zones.fold(0, u32::saturating_add)
    }
}

impl Size {
    /// Returns the number of MachineDeployments.
    fn count(&self) -> u32 {
        u32::try_from(self.zones.len()).unwrap_or(u32::MAX).max(1)
    }

    fn of_zone(&self, index: u32) -> Bounds {
        let [least, most] = [self.minimum, self.maximum].map(|it| share(index, self.count(), it));
        Bounds { least: least.min(most), most }
    }

    fn name(&self, index: u32, pool: &str) -> String {
        self.zones.get(index as usize).map_or(pool, String::as_str).to_owned()
    }
}

impl Totals {
    /// Returns the sums over zones.
    pub fn of<'a>(zones: impl IntoIterator<Item = &'a ZonePlan> + Clone) -> Self {
        let mut totals = Self::default();
        let mut last = Span::default();
        for zone in zones {
            totals.before = totals.before.plus(zone.before);
            totals.after = totals.after.plus(zone.after);
            totals.replaced = totals.replaced.plus(zone.replaced);
            totals.updated = totals.updated.plus(zone.updated);
            totals.created = totals.created.plus(zone.created);
            totals.deleted = totals.deleted.plus(zone.deleted);
            totals.waves = totals.waves.max(zone.waves);
            totals.extra = totals.extra.plus(zone.extra);
            totals.available = totals.available.plus(zone.available);
            match zone.time {
                Ok(time) if zone.is_removed => last = last.beside(time),
                Ok(time) => totals.time = totals.time.beside(time),
                Err(Unknown::WaitsForSelection) => {
                    totals.waiting = totals.waiting.plus(zone.updated);
                }
                Err(Unknown::ResizedInPlace) => totals.is_untimed = true,
            }
        }
        totals.time = totals.time.then(last);
        totals
    }

    /// Returns the sums with those of another Shoot, whose machines change at the same time.
    pub fn beside(self, other: &Self) -> Self {
        Self {
            before: self.before.plus(other.before),
            after: self.after.plus(other.after),
            replaced: self.replaced.plus(other.replaced),
            updated: self.updated.plus(other.updated),
            created: self.created.plus(other.created),
            deleted: self.deleted.plus(other.deleted),
            waves: self.waves.max(other.waves),
            extra: self.extra.plus(other.extra),
            available: self.available.plus(other.available),
            time: self.time.beside(other.time),
            waiting: self.waiting.plus(other.waiting),
            is_untimed: self.is_untimed || other.is_untimed,
        }
    }

    /// Reports whether no machine changes.
    pub fn is_idle(&self) -> bool {
        [self.replaced, self.updated, self.created, self.deleted].iter().all(|it| it.is_zero())
    }
}

impl PoolPlan {
    /// Returns the number of machines that are replaced or updated in place, without those that wait for a selection.
    pub fn disrupted(&self) -> Bounds {
        self.totals.replaced.plus(self.totals.updated.minus(self.totals.waiting))
    }

    /// Reports whether as many machines as `minimum` stay available; `None` if that depends on their number, or if the
    /// pool is new or removed.
    pub fn keeps_minimum(&self) -> Option<bool> {
        let minimum = self.minimum?;
        let Bounds { least, most } = self.totals.available;
        match (least >= minimum, most >= minimum) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}
