// SPDX-License-Identifier: Apache-2.0
//! Machines, volumes, regions and zones of worker pools, and their availability in the CloudProfile.

mod kube_reserved;
mod machine_type_unsupported;
mod nodes_above_limit;
mod region_unsupported;
mod volume_unsupported;
mod zones_unsupported;

use crate::admission::{Applicability, Change, Context, Findings, Help, Remedy, Rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::{list, similar};
use crate::rules::shoot::images::offered_images::judged;
use crate::rules::shoot::workers::pool_pairs::Pool;
use garden_gate_model::api::{AvailabilityZone, CloudProfileSpec, Shoot};

pub(crate) const RULES: &[&Rule] = &[
    &region_unsupported::RULE,
    &machine_type_unsupported::RULE,
    &volume_unsupported::RULE,
    &zones_unsupported::RULE,
    &kube_reserved::RULE,
    &nodes_above_limit::RULE,
];

/// A worker pool with the profile and region that it is checked against.
struct CheckedPool<'a> {
    spec: &'a CloudProfileSpec,
    region: &'a str,
    pool: &'a Pool<'a>,
}

impl CheckedPool<'_> {
    /// Returns the zones of the pool that the profile lists, and in which `name` is missing.
    fn zones_without<'s>(
        &'s self,
        name: &str,
        missing: impl Fn(&AvailabilityZone) -> &[String],
    ) -> Vec<&'s str> {
        let regions = self.spec.regions.iter();
        let zones = regions
            .filter(|region| region.name == self.region)
            .flat_map(|region| &region.zones)
            .filter(|zone| self.pool.new.zones.contains(&zone.name));
        let without = zones.filter(|zone| missing(zone).iter().any(|it| it == name));
        without.map(|zone| zone.name.as_str()).collect()
    }
}

/// Checks each pool against its profile.
///
/// As in Gardener, skips Shoots whose provider type differs from the profile's.
fn each_pool(
    context: &Context<'_>,
    shoot: Change<'_, Shoot>,
    findings: &mut Findings,
    mut check: impl FnMut(&CheckedPool<'_>, &mut Findings),
) {
    let Some((new, pools)) = judged(shoot) else {
        return;
    };
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    if spec.kind != new.spec.provider.kind {
        return;
    }
    for pool in &pools {
        let region = &new.spec.region;
        check(&CheckedPool { spec, region, pool }, findings);
    }
}

/// Maximum length of names in a similarity search.
const LONGEST: usize = 64;
/// Maximum number of names in a similarity search.
const MOST: usize = 1000;

/// Returns a suggestion in place of `wanted`, with the most similar names of the profile first.
fn instead(wanted: &str, offered: &[&str], of_what: &str) -> Help {
    if offered.is_empty() {
        return format!("the profile offers no {of_what} for such a pool; use another profile")
            .into();
    }
    let beginning = |name: &str| name.chars().take(LONGEST).collect::<String>();
    let wanted = beginning(wanted);
    let distance = |name: &str| strsim::osa_distance(&wanted, &beginning(name));
    let (mut offered, most) = (offered.to_vec(), offered.len().min(MOST));
    if let Some(first) = offered.get_mut(..most) {
        first.sort_by_cached_key(|name| (distance(name), *name));
    }
    let meant = match offered.as_slice() {
        [first, second, ..] if distance(first) < distance(second) => similar(&wanted, [*first]),
        _ => None,
    };
    // The names of machines and zones resemble each other, so that even a single letter is only a suggestion.
    let remedy = match offered.as_slice() {
        [only] => Some(*only),
        [first, ..] if meant.is_some() => Some(*first),
        _ => None,
    };
    let prefix = meant.map(|it| format!("{} ", it.text)).unwrap_or_default();
    let text = format!("{prefix}the profile offers {}", list(offered));
    Help::of(text, remedy.map(|name| Remedy::Set(name.into(), Applicability::Suggestion)))
}
