// SPDX-License-Identifier: Apache-2.0
//! The plan of all pools of a Shoot.

use super::{Pool, PoolPlan, Totals};

/// The plan of the machines of a Shoot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The pools with machines, in the order of the Shoot.
    pub pools: Vec<PoolPlan>,
    /// The pools without a plan, because too many numbers of machines are possible.
    pub undetermined: Vec<String>,
    /// The sums over all pools.
    pub totals: Totals,
}

/// The limit on possible numbers of machines that one plan evaluates.
pub const POSSIBILITIES: u32 = 20_000;

impl Plan {
    /// Returns the plan of some pools.
    pub fn of(pools: &[Pool]) -> Self {
        let mut plan = Self::default();
        let mut budget = POSSIBILITIES;
        for pool in pools {
            match pool.plan(&mut budget) {
                Some(pool) => plan.pools.push(pool),
                None => plan.undetermined.push(pool.name.clone()),
            }
        }
        plan.totals = Totals::of(plan.pools.iter().flat_map(|pool| &pool.zones));
        plan
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::plan::{Action, Amount, Bounds, Estimates, Size, Steps, Timeouts};

    use super::*;

    /// Returns a pool that is replaced with a surge of 1.
    pub(crate) fn pool(name: &str, minimum: u32, maximum: u32, zones: usize) -> Pool {
        let zones = (0..zones).map(|zone| format!("zone-{zone}")).collect();
        let size = Size { minimum, maximum, zones };
        Pool {
            name: name.to_owned(),
            before: Some(size.clone()),
            after: Some(size),
            current: Vec::new(),
            surge: Amount::Machines(1),
            unavailable: Amount::Machines(0),
            is_undivided: false,
            action: Action::Replace,
            is_certain: true,
            causes: Vec::new(),
            machine_type: String::new(),
            old_machine_type: None,
            steps: Steps::new(&Timeouts::default(), &Estimates::default()),
        }
    }

    #[test]
    fn minimum_depends_on_the_number_of_machines() {
        let keeps = |pool: &Pool| pool.plan(&mut 100).unwrap().keeps_minimum();
        assert_eq!(keeps(&pool("a", 3, 3, 1)), Some(true));
        let three = pool("a", 3, 5, 3);
        assert_eq!(keeps(&three), None);
        assert_eq!(keeps(&Pool { current: vec![1, 1, 1], ..three.clone() }), Some(false));
        assert_eq!(keeps(&Pool { current: vec![2, 2, 1], ..three }), Some(true));
    }

    #[test]
    fn pool_of_unlimited_size_is_undetermined() {
        let relative = |name| Pool { surge: Amount::Percent(10), ..pool(name, 0, u32::MAX, 1) };
        let plan = Plan::of(&[relative("a"), pool("b", 0, u32::MAX, 1)]);
        assert_eq!(plan.undetermined, ["a"]);
        assert_eq!(plan.totals.waves, Bounds { least: 0, most: u32::MAX });
    }

    #[test]
    fn effect_that_is_not_certain_starts_at_no_machine() {
        let plan = Plan::of(&[Pool { is_certain: false, ..pool("a", 3, 3, 1) }]);
        assert_eq!(plan.totals.replaced, Bounds { least: 0, most: 3 });
        assert_eq!(plan.totals.time.best, std::time::Duration::ZERO);
    }
}
