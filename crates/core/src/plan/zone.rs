// SPDX-License-Identifier: Apache-2.0
//! The plan of one zone of a pool: one MachineDeployment.

use super::{Amount, Bounds, InPlace, Limits, Rolling, Span, Steps};

/// The effect of a change on the machines that a pool keeps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Action {
    /// Every machine is replaced.
    Replace,
    /// Nodes are updated in place by machine-controller-manager.
    UpdateInPlace,
    /// Nodes are updated in place when a user selects them.
    UpdateByHand,
    /// Machines stay as they are.
    Keep,
}

/// The input of a zone's plan.
#[derive(Clone, Debug)]
pub struct Zone {
    /// The name; that of the pool if it has no zones.
    pub name: String,
    /// The number of machines before the change.
    pub before: Bounds,
    /// The minimum and maximum after the change; `None` if the zone is removed.
    pub size: Option<(u32, u32)>,
    /// Reports whether the zone exists before the change.
    pub is_new: bool,
    /// The zone's share of `maxSurge`.
    pub surge: Amount,
    /// The zone's share of `maxUnavailable`.
    pub unavailable: Amount,
    /// The effect on the machines that stay.
    pub action: Action,
    /// The durations for one machine.
    pub steps: Steps,
}

/// The reason why the duration is unknown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unknown {
    /// Nodes wait until a user selects them.
    WaitsForSelection,
    /// The number of machines changes, too, and machine-controller-manager may stop the update in place.
    ResizedInPlace,
}

/// The plan of a zone.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ZonePlan {
    /// The name.
    pub name: String,
    /// Reports whether the zone is removed: its machines are deleted after all other changes.
    pub is_removed: bool,
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
    /// The number of waves.
    pub waves: Bounds,
    /// The number of additional machines at a time.
    pub extra: Bounds,
    /// The lowest number of available machines during the change.
    pub available: Bounds,
    /// Reports whether a machine is removed before the first new one is available.
    pub starts_with_removal: bool,
    /// Reports whether a machine may be unavailable only because both limits of the zone are 0.
    pub is_forced: bool,
    /// The duration, or the reason why it is unknown.
    pub time: Result<Span, Unknown>,
}

impl Zone {
    /// Returns the plan; it covers all possible numbers of machines.
    pub fn plan(&self) -> ZonePlan {
        let Bounds { least, most } = self.before;
        let mut plan = self.plan_of(least);
        match self.breakpoints() {
            None => {
                for machines in least.saturating_add(1)..=most {
                    plan = plan.or(self.plan_of(machines));
                }
            }
            Some(points) => {
                for machines in points.into_iter().filter(|it| (least..=most).contains(it)) {
                    plan = plan.or(self.plan_of(machines));
                }
                plan = plan.or(self.plan_of(most));
            }
        }
        plan.name.clone_from(&self.name);
        plan
    }

    /// Returns the number of possibilities that the plan evaluates.
    pub fn possibilities(&self) -> u32 {
        let Bounds { least, most } = self.before;
        match self.breakpoints() {
            None => most.saturating_sub(least).saturating_add(1),
            Some(points) => u32::try_from(points.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns the numbers of machines between which all values of the plan are monotonic; `None` if percentages make
    /// every number different.
    fn breakpoints(&self) -> Option<[u32; 33]> {
        let (Amount::Machines(surge), Amount::Machines(unavailable)) =
            (self.surge, self.unavailable)
        else {
            return None;
        };
        let (minimum, maximum) = self.size.unwrap_or_default();
        let both = surge.saturating_add(unavailable);
        let mut points = [0; 33];
        let sums = [minimum, maximum]
            .into_iter()
            .flat_map(|size| [0, surge, unavailable, both].map(|limit| size.saturating_add(limit)));
        let places = [1, surge, unavailable].into_iter().chain(sums);
        let around = places.flat_map(|it| [it.saturating_sub(1), it, it.saturating_add(1)]);
        for (point, machines) in points.iter_mut().zip(around) {
            *point = machines;
        }
        Some(points)
    }

    /// Returns the desired number of machines.
    ///
    /// Mirrors deployMachineDeployment in `extensions/pkg/controller/worker/genericactuator/actuator_reconcile.go`.
    fn desired(&self, before: u32) -> u32 {
        match self.size {
            None => 0,
            Some((minimum, _)) if self.is_new => minimum,
            Some((minimum, maximum)) => before.min(maximum).max(minimum),
        }
    }

    /// Returns the plan for a number of machines.
    fn plan_of(&self, before: u32) -> ZonePlan {
        let after = self.desired(before);
        if self.is_new || self.size.is_none() {
            return self.resized(before, after);
        }
        match self.action {
            Action::Keep => self.resized(before, after),
            Action::Replace => self.rolled(before, after),
            Action::UpdateInPlace => self.updated_in_place(before, after),
            Action::UpdateByHand => ZonePlan {
                updated: Bounds::exactly(before.min(after)),
                available: Bounds::exactly(before.min(after)),
                time: match before.min(after) {
                    0 => Ok(Span::default()),
                    _ => Err(Unknown::WaitsForSelection),
                },
                ..self.resized(before, after)
            },
        }
    }

    /// Returns the plan of a zone whose machines stay, or are all created or deleted.
    fn resized(&self, before: u32, after: u32) -> ZonePlan {
        let created = after.saturating_sub(before);
        let deleted = before.saturating_sub(after);
        let time = |count, span| if count > 0 { span } else { Span::default() };
        let steps = &self.steps;
        ZonePlan {
            name: String::new(),
            is_removed: self.size.is_none(),
            before: Bounds::exactly(before),
            after: Bounds::exactly(after),
            replaced: Bounds::default(),
            updated: Bounds::default(),
            created: Bounds::exactly(created),
            deleted: Bounds::exactly(deleted),
            waves: Bounds::default(),
            extra: Bounds::default(),
            available: Bounds::exactly(before.min(after)),
            starts_with_removal: false,
            is_forced: false,
            time: Ok(time(created, steps.create).beside(time(deleted, steps.remove))),
        }
    }

    fn rolled(&self, before: u32, after: u32) -> ZonePlan {
        let limits = Limits::resolve(self.surge, self.unavailable, after);
        let rolling = Rolling { before, after, limits };
        if rolling.replaced() == 0 {
            return self.resized(before, after);
        }
        let Steps { create, remove, .. } = self.steps;
        let resized = self.resized(before, after);
        let excess = Bounds::exactly(rolling.excess());
        ZonePlan {
            created: resized.created.plus(excess),
            deleted: resized.deleted.plus(excess),
            replaced: Bounds::exactly(rolling.replaced()),
            waves: Bounds::exactly(rolling.waves()),
            extra: Bounds::exactly(rolling.peak() - before.max(after).min(rolling.peak())),
            available: Bounds::exactly(rolling.available()),
            starts_with_removal: rolling.removed_first() > 0,
            is_forced: limits.is_forced,
            time: Ok(create.zip(remove, |create, remove| rolling.duration(create, remove))),
            ..resized
        }
    }

    fn updated_in_place(&self, before: u32, after: u32) -> ZonePlan {
        let limits = Limits::resolve(self.surge, self.unavailable, after);
        let update = InPlace { machines: before.min(after), limits };
        let resized = self.resized(before, after);
        if update.machines == 0 {
            return resized;
        }
        let plan = ZonePlan {
            replaced: Bounds::exactly(update.replaced()),
            updated: Bounds::exactly(update.updated()),
            waves: Bounds::exactly(update.waves()),
            extra: Bounds::exactly(update.replaced()),
            available: Bounds::exactly(update.available()),
            starts_with_removal: update.replaces_all_at_once(),
            is_forced: limits.is_forced,
            time: Ok(update.duration(&self.steps)),
            ..resized
        };
        if before == after {
            return plan;
        }
        // While both machine sets have machines, scale in `pkg/controller/deployment_sync.go` does nothing for updates in
        // place, so that the update may stop.
        let at_most = |number: Bounds| Bounds { least: 0, most: number.most };
        ZonePlan {
            replaced: at_most(plan.replaced),
            updated: at_most(plan.updated),
            waves: at_most(plan.waves),
            extra: at_most(plan.extra),
            time: Err(Unknown::ResizedInPlace),
            ..plan
        }
    }
}

impl ZonePlan {
    /// Returns a plan that covers both.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            name: self.name,
            is_removed: self.is_removed,
            before: self.before.or(other.before),
            after: self.after.or(other.after),
            replaced: self.replaced.or(other.replaced),
            updated: self.updated.or(other.updated),
            created: self.created.or(other.created),
            deleted: self.deleted.or(other.deleted),
            waves: self.waves.or(other.waves),
            extra: self.extra.or(other.extra),
            available: self.available.or(other.available),
            starts_with_removal: self.starts_with_removal || other.starts_with_removal,
            is_forced: self.is_forced || other.is_forced,
            time: match (self.time, other.time) {
                (Ok(one), Ok(two)) => Ok(one.or(two)),
                (Err(unknown), _) | (_, Err(unknown)) => Err(unknown),
            },
        }
    }
}
