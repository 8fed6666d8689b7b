// SPDX-License-Identifier: Apache-2.0
//! Numbers and percentages of machines, divided over zones.

use std::fmt;

use garden_gate_model::api::IntOrPercent;
use garden_gate_model::gardener::rolling_update::zone_share;

/// A number of machines, or a percentage of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Amount {
    /// A number of machines.
    Machines(u32),
    /// A percentage.
    Percent(u32),
}

/// The highest percentage that is processed; validation rejects higher ones long before.
const MOST_PERCENT: f64 = 1_000_000.0;

impl Amount {
    /// Returns the amount of a field of a pool; `None` if it is neither a number of at least 0 nor a percentage.
    pub fn of_field(value: &IntOrPercent) -> Option<Self> {
        match value {
            IntOrPercent::Int(number) => u32::try_from(*number).ok().map(Amount::Machines),
            text @ IntOrPercent::Text(_) => {
                let percent = u32::try_from(text.percent()?).unwrap_or(u32::MAX);
                Some(Amount::Percent(percent))
            }
        }
    }

    /// Returns the share of one zone; percentages are weighted by the zone's share of `total` machines.
    ///
    /// Mirrors DistributePositiveIntOrPercent in `extensions/pkg/controller/worker/machines.go`.
    /// Weighted percentages are rounded up, in the same floating-point steps.
    pub fn share(self, zone: u32, zones: u32, total: u32) -> Self {
        match self {
            Amount::Percent(0) => Amount::Machines(0),
            Amount::Machines(number) => Amount::Machines(share(zone, zones, number)),
            Amount::Percent(percent) if total.is_multiple_of(zones.max(1)) => {
                Amount::Percent(percent)
            }
            Amount::Percent(percent) => {
                let average = f64::from(total) / f64::from(zones);
                let ratio = 100.0 / average * f64::from(share(zone, zones, total));
                let weighted = (ratio * f64::from(percent) / 100.0).ceil();
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is between 0 and the highest percentage"
                )]
                let percent = weighted.min(MOST_PERCENT) as u32;
                Amount::Percent(percent)
            }
        }
    }

    /// Returns the number of machines among `replicas`, rounded up.
    fn rounded_up(self, replicas: u32) -> u32 {
        match self {
            Amount::Machines(number) => number,
            Amount::Percent(percent) => of(percent, replicas, 99),
        }
    }

    /// Returns the number of machines among `replicas`, rounded down.
    fn rounded_down(self, replicas: u32) -> u32 {
        match self {
            Amount::Machines(number) => number,
            Amount::Percent(percent) => of(percent, replicas, 0),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Machines(number) => write!(f, "{number}"),
            Amount::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// Returns a percentage of a number after adding `round` hundredths.
fn of(percent: u32, number: u32, round: u64) -> u32 {
    let product = u64::from(percent).saturating_mul(u64::from(number));
    u32::try_from(product.saturating_add(round) / 100).unwrap_or(u32::MAX)
}

/// Returns the share of the zone at index `zone` in a number of machines, see [`zone_share`].
pub fn share(zone: u32, zones: u32, total: u32) -> u32 {
    let share = zone_share(zone.into(), zones.into(), total.into());
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// The limits of an update of one zone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// The number of machines beyond the desired number.
    pub surge: u32,
    /// The number of machines that may be unavailable.
    pub unavailable: u32,
    /// Reports whether both were 0, so that one machine may be unavailable after all.
    pub is_forced: bool,
}

impl Limits {
    /// Resolves the limits of a zone with `replicas` machines.
    ///
    /// Mirrors ResolveFenceposts and MaxUnavailable in `pkg/controller/deployment_util.go` of
    /// machine-controller-manager: surge is rounded up, unavailable down; if both are 0, one may be unavailable.
    pub fn resolve(surge: Amount, unavailable: Amount, replicas: u32) -> Self {
        if replicas == 0 {
            return Self { surge: 0, unavailable: 0, is_forced: false };
        }
        let (surge, unavailable) = (surge.rounded_up(replicas), unavailable.rounded_down(replicas));
        let is_forced = surge == 0 && unavailable == 0;
        let unavailable = if is_forced { 1 } else { unavailable.min(replicas) };
        Self { surge, unavailable, is_forced }
    }

    /// Returns the number of machines that one wave replaces.
    pub fn machines_per_wave(self) -> u32 {
        self.surge.saturating_add(self.unavailable).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the tests of DistributePercentOverZones, and of gardener/gardener#4910.
    #[test]
    fn percent_is_weighted_by_the_share_of_the_zone() {
        let shares = |percent, zones, total| {
            let zone = |zone| Amount::Percent(percent).share(zone, zones, total);
            (0..zones).map(zone).collect::<Vec<_>>()
        };
        let percents =
            |list: &[u32]| list.iter().map(|it| Amount::Percent(*it)).collect::<Vec<_>>();
        assert_eq!(shares(10, 2, 10), percents(&[10, 10]));
        assert_eq!(shares(10, 3, 6), percents(&[10, 10, 10]));
        assert_eq!(shares(10, 3, 7), percents(&[13, 9, 9]));
        assert_eq!(shares(40, 3, 1), percents(&[120, 0, 0]));
        assert_eq!(shares(40, 3, 0), percents(&[40, 40, 40]));
    }

    #[test]
    fn zone_without_a_share_of_surge_loses_a_machine() {
        let zone = |zone| {
            let surge = Amount::Machines(1).share(zone, 3, 5);
            let unavailable = Amount::Machines(0).share(zone, 3, 3);
            Limits::resolve(surge, unavailable, 1)
        };
        assert_eq!(zone(0), Limits { surge: 1, unavailable: 0, is_forced: false });
        assert_eq!(zone(1), Limits { surge: 0, unavailable: 1, is_forced: true });
        assert_eq!(zone(2), Limits { surge: 0, unavailable: 1, is_forced: true });
    }

    #[test]
    fn surge_is_rounded_up_and_unavailable_down() {
        let limits = Limits::resolve(Amount::Percent(25), Amount::Percent(25), 5);
        assert_eq!((limits.surge, limits.unavailable), (2, 1));
        let limits = Limits::resolve(Amount::Percent(0), Amount::Percent(25), 3);
        assert_eq!((limits.surge, limits.unavailable, limits.is_forced), (0, 1, true));
        let limits = Limits::resolve(Amount::Machines(0), Amount::Machines(5), 3);
        assert_eq!((limits.surge, limits.unavailable), (0, 3));
    }

    #[test]
    fn largest_numbers_saturate() {
        assert_eq!(Amount::Percent(u32::MAX).rounded_up(u32::MAX), u32::MAX);
        let share = Amount::Percent(u32::MAX).share(0, 3, 1);
        assert_eq!(share, Amount::Percent(1_000_000));
    }
}
