// SPDX-License-Identifier: Apache-2.0
/// Returns the share of the zone at index `zone` in a number of machines: the first zones get the remainder.
///
/// Without zones, the pool counts as one zone.
///
/// Mirrors DistributeOverZones in `extensions/pkg/controller/worker/machines.go`.
pub fn zone_share(zone: i64, zones: i64, total: i64) -> i64 {
    let zones = zones.max(1);
    total / zones + i64::from(zone < total % zones)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::zone_share;

    #[rstest]
    #[case(3, 7, &[3, 2, 2])]
    #[case(3, 1, &[1, 0, 0])]
    #[case(2, 0, &[0, 0])]
    #[case(1, i64::from(i32::MAX), &[i64::from(i32::MAX)])]
    fn first_zones_get_the_remainder(
        #[case] zones: i64,
        #[case] total: i64,
        #[case] expected: &[i64],
    ) {
        let shares: Vec<i64> = (0..zones).map(|zone| zone_share(zone, zones, total)).collect();
        assert_eq!(shares, expected);
    }

    #[test]
    fn pool_without_zones_is_one_zone() {
        assert_eq!(zone_share(0, 0, 5), 5);
    }
}
