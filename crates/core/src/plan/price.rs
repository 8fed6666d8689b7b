// SPDX-License-Identifier: Apache-2.0
//! Costs of machines by the price list of a landscape.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::{Bounds, Estimates, PoolPlan, ShootPlan, ZonePlan};

/// Assumptions of plans that a landscape may replace by its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanSettings {
    /// The durations that no setting of a Shoot states.
    pub estimates: Estimates,
    /// The prices of machines; `None` if they are unknown.
    pub prices: Option<Prices>,
}

/// Prices of machine types.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prices {
    /// The currency, such as `EUR`.
    pub currency: String,
    /// The price of a machine per hour, by machine type; finite and not negative.
    pub hourly: BTreeMap<String, f64>,
}

/// The costs of a plan, without machines whose price is unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// The costs of additional machines during updates, from the lowest at best to the highest typically.
    pub extra: Amounts,
    /// The same at worst.
    pub extra_worst: f64,
    /// The change of the costs of a month; negative if the machines get cheaper.
    pub monthly: Amounts,
    /// The machine types whose price is unknown.
    pub unpriced: BTreeSet<String>,
}

/// The lowest and the highest possible amount of money.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amounts {
    /// The lowest amount.
    pub least: f64,
    /// The highest amount.
    pub most: f64,
}

/// The average number of hours of a month.
const HOURS_A_MONTH: f64 = 730.0;

impl Cost {
    /// Returns the costs of some Shoots.
    pub fn of<'a>(shoots: impl IntoIterator<Item = &'a ShootPlan>, prices: &Prices) -> Self {
        let mut cost = Self::default();
        for pool in shoots.into_iter().flat_map(|it| &it.plan.pools) {
            cost.add_pool(pool, prices);
        }
        cost
    }

    fn add_pool(&mut self, pool: &PoolPlan, prices: &Prices) {
        let old_type = pool.old_machine_type.as_ref().unwrap_or(&pool.machine_type);
        let types = [&pool.machine_type, old_type];
        let [Some(new), Some(old)] = types.map(|it| prices.hourly.get(it).copied()) else {
            let unpriced = types.into_iter().filter(|it| !prices.hourly.contains_key(*it));
            self.unpriced.extend(unpriced.cloned());
            return;
        };
        for zone in &pool.zones {
            self.add_zone(zone, new, old);
        }
    }

    fn add_zone(&mut self, zone: &ZonePlan, new: f64, old: f64) {
        let hours = |it: Duration| it.as_secs_f64() / 3600.0;
        if let Ok(time) = zone.time {
            let [least, most] = [zone.extra.least, zone.extra.most].map(|it| f64::from(it) * new);
            self.extra.least += least * hours(time.best);
            self.extra.most += most * hours(time.typical);
            self.extra_worst += most * hours(time.worst);
        }
        // The machines that stay or are replaced, and those that are added without another one.
        let kept = Amounts::of(zone.before, (new - old) * HOURS_A_MONTH);
        let [created, deleted] = [(zone.created, 1.0), (zone.deleted, -1.0)]
            .map(|(machines, sign)| Amounts::of(machines, sign * new * HOURS_A_MONTH));
        for change in [kept, created, deleted] {
            self.monthly.least += change.least;
            self.monthly.most += change.most;
        }
    }
}

impl Amounts {
    fn of(machines: Bounds, each: f64) -> Self {
        let [least, most] = [machines.least, machines.most].map(|it| f64::from(it) * each);
        Self { least: least.min(most), most: least.max(most) }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Plan, Pool, example_pool as pool};

    use super::*;

    fn cost(pools: &[Pool]) -> Cost {
        let plan = Plan::of(pools);
        let hourly = [("small", 0.5), ("large", 1.5)];
        let hourly = hourly.map(|(name, price)| (name.to_owned(), price)).into();
        let prices = Prices { currency: "EUR".to_owned(), hourly };
        let mut cost = Cost::default();
        plan.pools.iter().for_each(|it| cost.add_pool(it, &prices));
        cost
    }

    fn typed(pool: Pool, old: Option<&str>, new: &str) -> Pool {
        Pool { machine_type: new.to_owned(), old_machine_type: old.map(str::to_owned), ..pool }
    }

    /// Pool `a` of `docs/explanation/rolling-updates.md`: 6 waves of 3 to 10 minutes, with 1 extra machine.
    #[test]
    fn extra_machines_cost_as_long_as_the_update_lasts() {
        let cost = cost(&[typed(pool("a", 6, 6, 1), None, "small")]);
        let cents = |it: f64| (it * 100.0).round();
        assert_eq!([cost.extra.least, cost.extra.most].map(cents), [15.0, 50.0]);
        assert_eq!(cents(cost.extra_worst), 730.0);
        assert_eq!(cost.monthly, Amounts::default());
    }

    #[test]
    fn other_machine_type_changes_the_costs_of_a_month() {
        let small = typed(pool("a", 2, 3, 1), Some("large"), "small");
        assert_eq!(cost(&[small]).monthly, Amounts { least: -2190.0, most: -1460.0 });
        let large = typed(pool("a", 2, 2, 1), Some("small"), "large");
        assert_eq!(cost(&[large]).monthly, Amounts { least: 1460.0, most: 1460.0 });
    }

    #[test]
    fn created_and_deleted_machines_change_the_costs_of_a_month() {
        let created = Pool { before: None, ..typed(pool("a", 2, 2, 1), None, "small") };
        assert_eq!(cost(&[created]).monthly, Amounts { least: 730.0, most: 730.0 });
        let deleted = Pool { after: None, ..typed(pool("a", 2, 2, 1), None, "large") };
        assert_eq!(cost(&[deleted]).monthly, Amounts { least: -2190.0, most: -2190.0 });
    }

    #[test]
    fn type_without_a_price_is_unknown() {
        let cost = cost(&[typed(pool("a", 2, 2, 1), Some("small"), "huge")]);
        assert_eq!(cost, Cost { unpriced: ["huge".to_owned()].into(), ..Cost::default() });
    }

    #[test]
    fn largest_numbers_are_finite() {
        let cost = cost(&[typed(pool("a", u32::MAX, u32::MAX, 1), Some("small"), "large")]);
        assert!(cost.extra_worst.is_finite() && cost.monthly.most.is_finite());
    }
}
