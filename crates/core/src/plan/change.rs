// SPDX-License-Identifier: Apache-2.0
//! The plans of all Shoots of a change.

use super::{Capacity, Cost, PlanSettings, ShootPlan, Totals};

/// The plan of a change of several objects.
#[derive(Clone, Debug, Default)]
pub struct ChangePlan {
    /// The Shoots, in the order of the change.
    pub shoots: Vec<ShootPlan>,
    /// The Shoots and files without a plan.
    pub undetermined: Vec<UnplannedShoot>,
    /// The number of Shoots in the input that do not change.
    pub unchanged: usize,
    /// The assumptions of the plan.
    pub settings: PlanSettings,
}

/// A Shoot without a plan, or a file that may contain one.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct UnplannedShoot {
    /// The Shoot, such as `garden-dev/web`, or the file.
    pub title: String,
    /// The reason.
    pub why: String,
}

impl ChangePlan {
    /// Returns the Shoots in which machines change.
    pub fn active(&self) -> impl Iterator<Item = &ShootPlan> {
        self.shoots.iter().filter(|it| !it.plan.totals.is_idle())
    }

    /// Returns the sums over all Shoots, as if their changes started at the same time.
    pub fn totals(&self) -> Totals {
        self.active().fold(Totals::default(), |sum, shoot| sum.beside(&shoot.plan.totals))
    }

    /// Returns the resources of the additional machines of all Shoots, as far as they are known.
    pub fn extra(&self) -> Capacity {
        let mut sum = Capacity::default();
        self.active().for_each(|shoot| sum.extend(&shoot.extra));
        sum
    }

    /// Returns the costs; `None` without a price list.
    pub fn cost(&self) -> Option<Cost> {
        Some(Cost::of(&self.shoots, self.settings.prices.as_ref()?))
    }

    /// Reports whether a Shoot or a pool has no plan.
    pub fn is_undetermined(&self) -> bool {
        !self.undetermined.is_empty() || self.shoots.iter().any(|it| !it.undetermined.is_empty())
    }

    /// Reports whether the input has no Shoots.
    pub fn is_empty(&self) -> bool {
        self.shoots.is_empty() && self.undetermined.is_empty() && self.unchanged == 0
    }
}
