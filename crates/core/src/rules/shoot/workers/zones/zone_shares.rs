// SPDX-License-Identifier: Apache-2.0
//! Distribution of a worker pool's numbers over its zones.

use garden_gate_model::api::{IntOrPercent, Worker};
use garden_gate_model::gardener::rolling_update::zone_share;

/// Returns the share of the zone at `index` in a number of machines.
fn share(index: i32, total: i32, zones: i32) -> i32 {
    let share = zone_share(index.into(), zones.into(), total.into());
    i32::try_from(share).unwrap_or(i32::MAX)
}

/// A zone of a pool with its share of the pool's numbers.
pub(super) struct Zone<'a> {
    pub name: &'a str,
    pub minimum: i32,
    pub maximum: i32,
    index: i32,
    /// The number of zones of the pool.
    count: i32,
}

/// Returns the zones of a pool.
pub(super) fn zones(pool: &Worker) -> impl Iterator<Item = Zone<'_>> {
    let count = i32::try_from(pool.zones.len()).unwrap_or(i32::MAX);
    (0..count).zip(&pool.zones).map(move |(index, name)| Zone {
        name,
        minimum: share(index, pool.minimum, count),
        maximum: share(index, pool.maximum, count),
        index,
        count,
    })
}

impl Zone<'_> {
    /// Returns the zone's share of a number of machines.
    pub(super) fn share(&self, total: i32) -> i32 {
        share(self.index, total, self.count)
    }

    /// Returns the number of machines of the zone that may be unavailable during an update.
    ///
    /// Assumes that the zone has its maximum of machines.
    ///
    /// Mirrors DistributePositiveIntOrPercent in `extensions/pkg/controller/worker/machines.go`, in relation to the minimum, and
    /// ResolveFenceposts in `pkg/controller/deployment_util.go` of machine-controller-manager, which rounds down.
    pub(super) fn unavailable(&self, value: &IntOrPercent, pool: &Worker) -> f64 {
        if let IntOrPercent::Int(number) = value {
            return f64::from(self.share(*number));
        }
        let mut percent = value.percent().unwrap_or_default() as f64;
        if pool.minimum % self.count != 0 {
            let average = f64::from(pool.minimum) / f64::from(self.count);
            percent = (100.0 / average * f64::from(self.minimum) * percent / 100.0).ceil();
        }
        (percent * f64::from(self.maximum) / 100.0).floor()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn pool(zones: usize, minimum: i32, maximum: i32) -> Worker {
        let zones: Vec<String> = (0..zones).map(|zone| zone.to_string()).collect();
        let pool = json!({"zones": zones, "minimum": minimum, "maximum": maximum});
        serde_json::from_value(pool).unwrap()
    }

    #[rstest]
    #[case(3, 6, &[2, 2, 2])]
    #[case(3, 7, &[3, 2, 2])]
    #[case(3, 1, &[1, 0, 0])]
    #[case(2, 0, &[0, 0])]
    #[case(1, 5, &[5])]
    #[case(0, 5, &[])]
    fn numbers_are_divided(#[case] count: usize, #[case] total: i32, #[case] shares: &[i32]) {
        let pool = pool(count, total, total);
        let found: Vec<i32> = zones(&pool).map(|zone| zone.maximum).collect();
        assert_eq!(found, shares);
    }

    #[rstest]
    #[case::number(3, 3, json!(4), &[2.0, 1.0, 1.0])]
    #[case::evenly(3, 30, json!("25%"), &[2.0, 2.0, 2.0])]
    #[case::weighted_by_the_minimum(7, 30, json!("40%"), &[5.0, 3.0, 3.0])]
    #[case::of_a_zone_without_minimum(1, 30, json!("40%"), &[12.0, 0.0, 0.0])]
    #[case::less_than_one(3, 6, json!("40%"), &[0.0, 0.0, 0.0])]
    fn what_may_be_missing(
        #[case] minimum: i32,
        #[case] maximum: i32,
        #[case] value: Value,
        #[case] expected: &[f64],
    ) {
        let pool = pool(3, minimum, maximum);
        let value: IntOrPercent = serde_json::from_value(value).unwrap();
        let found: Vec<f64> = zones(&pool).map(|it| it.unavailable(&value, &pool)).collect();
        assert_eq!(found, expected);
    }
}
