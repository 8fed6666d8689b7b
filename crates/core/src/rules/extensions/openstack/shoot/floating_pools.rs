// SPDX-License-Identifier: Apache-2.0
//! The floating pools of a profile. Source: `FindFloatingPool` in `pkg/apis/openstack/validation/infrastructure.go`.
//!
//! The domain is in the credentials, whose contents are unknown. Therefore, a pool is searched for with each domain that
//! the profile names, and with another one.

use std::collections::{BTreeMap, BTreeSet};

use garden_gate_model::api::extensions::openstack::cloud_profile::FloatingPool;

/// A floating pool with its index in the profile.
type Indexed<'p> = (usize, &'p FloatingPool);
type ByDomain<'p> = BTreeMap<Option<&'p str>, Vec<Indexed<'p>>>;

/// The floating pools for a region, and for all regions.
pub(super) struct FloatingPools<'p> {
    regional: ByDomain<'p>,
    general: ByDomain<'p>,
}

/// The result of a search with each domain.
pub(super) struct Search<'p> {
    /// The pools that are found with some domain, by their index.
    pub(super) found: BTreeMap<usize, &'p FloatingPool>,
    /// The names that all domains can use.
    pub(super) names: BTreeSet<&'p str>,
}

/// The result of a search among some pools.
#[derive(Default)]
struct Candidate<'p> {
    /// The best match.
    pool: Option<Indexed<'p>>,
    /// The names of pools that exclude more general ones.
    constraining: BTreeSet<&'p str>,
    /// The names of pools in addition to more general ones.
    additional: BTreeSet<&'p str>,
}

impl<'p> FloatingPools<'p> {
    pub(super) fn of(pools: &'p [FloatingPool], region: &str) -> Self {
        let (mut regional, mut general) = (ByDomain::new(), ByDomain::new());
        for (index, pool) in pools.iter().enumerate() {
            let by_domain = match pool.region.as_deref() {
                None => &mut general,
                Some(it) if it == region => &mut regional,
                Some(_) => continue,
            };
            let of_domain = by_domain.entry(pool.domain.as_deref()).or_default();
            of_domain.push((index, pool));
        }
        Self { regional, general }
    }

    /// Searches for a pool with each domain.
    pub(super) fn search(&self, name: &str) -> Search<'p> {
        let of_region = [false, true].map(|only| among(&self.regional, (None, name), only));
        let of_all = [false, true].map(|only| among(&self.general, (None, name), only));
        // The empty domain does not exist, and represents those that the profile does not name.
        let domains: BTreeSet<&str> = self
            .regional
            .keys()
            .chain(self.general.keys())
            .flatten()
            .copied()
            .chain([""])
            .collect();
        let found = domains
            .into_iter()
            .filter_map(|domain| self.search_in(domain, name, [&of_region, &of_all]))
            .collect();
        let [first, _] = &of_region;
        let general = choose(&of_all, !first.constraining.is_empty());
        let names = [first, general]
            .into_iter()
            .flat_map(|it| it.constraining.union(&it.additional).copied());
        Search { found, names: names.collect() }
    }

    /// Searches for a pool with a domain; no pools are limited to an empty one.
    fn search_in(
        &self,
        domain: &'p str,
        name: &str,
        [of_region, of_all]: [&[Candidate<'p>; 2]; 2],
    ) -> Option<Indexed<'p>> {
        let own = |pools: &ByDomain<'p>, only| match domain {
            "" => Candidate::default(),
            domain => among(pools, (Some(domain), name), only),
        };
        let both = own(&self.regional, false);
        let only = !both.constraining.is_empty();
        let region = choose(of_region, only);
        let domain = own(&self.general, only);
        let found = both.pool.or_else(|| region.or(&domain));
        found.or_else(|| choose(of_all, is_constrained(&both, region, &domain)).pool)
    }
}

/// Chooses the search among additional pools only, or among all.
fn choose<'c, 'p>([all, additional]: &'c [Candidate<'p>; 2], only: bool) -> &'c Candidate<'p> {
    if only { additional } else { all }
}

/// Searches among the pools with exactly this domain, or without one.
fn among<'p>(
    pools: &ByDomain<'p>,
    (domain, name): (Option<&'p str>, &str),
    only_additional: bool,
) -> Candidate<'p> {
    Candidate::among(pools.get(&domain).map_or(&[][..], Vec::as_slice), name, only_additional)
}

/// Reports whether pools for a region or domain exclude those for all.
///
/// If both exclude others, only names that both have count.
fn is_constrained(both: &Candidate<'_>, region: &Candidate<'_>, domain: &Candidate<'_>) -> bool {
    match (region.constraining.is_empty(), domain.constraining.is_empty()) {
        (false, false) => !region.constraining.is_disjoint(&domain.constraining),
        (true, true) => !both.constraining.is_empty(),
        _ => true,
    }
}

impl<'p> Candidate<'p> {
    fn among(pools: &[Indexed<'p>], name: &str, only_additional: bool) -> Self {
        let mut candidate = Self::default();
        let mut best = None;
        for (index, pool) in pools {
            if pool.non_constraining == Some(true) {
                candidate.additional.insert(pool.name.as_str());
            } else if only_additional {
                continue;
            } else {
                candidate.constraining.insert(pool.name.as_str());
            }
            let score = score(&pool.name, name);
            if score.is_some() && score > best {
                best = score;
                candidate.pool = Some((*index, *pool));
            }
        }
        candidate
    }

    /// Returns the pool for a region and a domain, whose constraints must both be met.
    fn or(&self, domain: &Self) -> Option<Indexed<'p>> {
        match (self.pool, domain.pool) {
            (Some(pool), Some(_)) => Some(pool),
            (Some(pool), None) if domain.constraining.is_empty() => Some(pool),
            (None, Some(pool)) if self.constraining.is_empty() => Some(pool),
            _ => None,
        }
    }
}

/// Returns how well a pattern matches a name; `None` if it does not.
///
/// Mirrors SimpleMatch in `pkg/openstack/utils/utils.go`.
fn score(pattern: &str, name: &str) -> Option<usize> {
    if pattern == "*" {
        return Some(0);
    }
    if pattern == name {
        return Some(name.len());
    }
    let prefix = pattern.strip_suffix('*').filter(|it| name.starts_with(it));
    let suffix = pattern.strip_prefix('*').filter(|it| name.ends_with(it));
    prefix.or(suffix).map(str::len)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn search(pools: serde_json::Value, name: &str) -> (Vec<usize>, Vec<String>) {
        let pools: Vec<FloatingPool> = serde_json::from_value(pools).unwrap();
        let search = FloatingPools::of(&pools, "eu").search(name);
        let names = search.names.into_iter().map(str::to_owned).collect();
        (search.found.into_keys().collect(), names)
    }

    #[rstest]
    #[case::any("*", "a", Some(0))]
    #[case::equal("ab", "ab", Some(2))]
    #[case::start("a*", "abc", Some(1))]
    #[case::end("*bc", "abc", Some(2))]
    #[case::start_alone("ab*", "ab", Some(2))]
    #[case::other("a*", "b", None)]
    #[case::middle("a*c", "abc", None)]
    fn scores(#[case] pattern: &str, #[case] name: &str, #[case] expected: Option<usize>) {
        assert_eq!(score(pattern, name), expected);
    }

    #[rstest]
    #[case::best_match("pool-1", &[1])]
    #[case::pattern("pool-2", &[0])]
    #[case::none("other", &[])]
    fn pools_for_all(#[case] name: &str, #[case] expected: &[usize]) {
        let pools = json!([{"name": "pool-*"}, {"name": "pool-1"}, {"name": "*-1"}]);
        assert_eq!(search(pools, name).0, expected);
    }

    #[test]
    fn pools_of_a_region_exclude_those_for_all() {
        let pools = json!([{"name": "all"}, {"name": "regional", "region": "eu"},
            {"name": "other", "region": "us"}, {"name": "more", "nonConstraining": true}]);
        assert_eq!(search(pools.clone(), "regional").0, [1]);
        assert_eq!(search(pools.clone(), "more").0, [3]);
        let (found, names) = search(pools, "all");
        assert_eq!(found, [0; 0]);
        assert_eq!(names, ["more", "regional"]);
    }

    #[test]
    fn pools_of_a_domain_may_be_usable() {
        let pools = json!([{"name": "all"}, {"name": "own", "domain": "d"},
            {"name": "*", "domain": "e", "nonConstraining": true}, {"name": "both", "region": "us", "domain": "d"}]);
        // With `d`, only `own` is found; with `e`, both; and with others, `all`.
        assert_eq!(search(pools.clone(), "all").0, [0, 2]);
        assert_eq!(search(pools.clone(), "own").0, [1, 2]);
        assert_eq!(search(pools, "both").0, [2]);
    }

    #[test]
    fn region_and_domain_must_have_the_name() {
        let pools = json!([{"name": "all"}, {"name": "a", "region": "eu"}, {"name": "b", "domain": "d"},
            {"name": "c", "region": "eu", "domain": "d"}]);
        assert_eq!(search(pools.clone(), "b").0, [0; 0]);
        assert_eq!(search(pools.clone(), "c").0, [3]);
        assert_eq!(search(pools, "a").0, [1]);
    }
}
