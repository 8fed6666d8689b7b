// SPDX-License-Identifier: Apache-2.0
//! The filters of the scheduler, in its order, with the reasons why they exclude a seed.

use std::cell::OnceCell;
use std::fmt::{self, Display, Formatter};

use super::criteria::Scheduling;
use crate::config::Strategy;
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::addresses::{conflicts, unfit_defaults, with_defaults};
use crate::rules::shoot::seed::zones::seed_zones_for_zone_ha::ZONES;
use garden_gate_model::api::{Seed, is_below};

/// The remaining seeds, with properties that are computed once for all of them.
#[derive(Default)]
pub(super) struct Candidates<'a> {
    pub(super) seeds: Vec<&'a Seed>,
    pub(super) any_shares_zones: OnceCell<bool>,
    pub(super) any_serves_domain: OnceCell<bool>,
}

/// The reason why a seed is excluded.
pub(crate) enum Reason<'a> {
    /// A fixed text.
    Fixed(&'static str),
    /// Its provider type.
    Provider(&'a str),
    /// The number of its zones, which is too low.
    Zones(usize),
    /// A domain that it does not serve.
    Domain(&'a str),
    /// The conflict of an address range with the seed.
    Range(String),
    /// The conflict of the default ranges that the seed fills in.
    Defaults(String),
    /// Its taints, as a list.
    Taints(String),
    /// The number of its Shoots.
    Full(usize),
    /// Its region.
    Region(&'a str),
}

/// Returns a reason to exclude the seed, given the remaining seeds.
type Filter = for<'a> fn(&Scheduling<'a>, &'a Seed, &Candidates<'_>) -> Option<Reason<'a>>;

/// Filters in the order of the scheduler.
///
/// The last one is the check of the binding that the scheduler requests.
pub(super) const FILTERS: [Filter; 14] = [
    usable,
    profile_labels,
    shoot_labels,
    provider,
    zone_count,
    zones,
    access_restrictions,
    domain,
    emergency_stop,
    ranges,
    taints,
    room,
    strategy,
    defaults,
];

impl Display for Reason<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Fixed(text) => f.write_str(text),
            Reason::Provider(kind) => write!(f, "has provider type `{kind}`"),
            Reason::Zones(count) => write!(f, "has {count} zones, not {ZONES}"),
            Reason::Domain(domain) => write!(f, "does not serve domain `{domain}`"),
            Reason::Range(conflict) => write!(f, "does not fit: {conflict}"),
            Reason::Defaults(conflict) => f.write_str(conflict),
            Reason::Taints(taints) => write!(f, "has taints {taints}"),
            Reason::Full(used) => write!(f, "is full with {used} Shoots"),
            Reason::Region(region) => write!(f, "is in region `{region}`"),
        }
    }
}

fn because(condition: bool, why: &'static str) -> Option<Reason<'static>> {
    condition.then_some(Reason::Fixed(why))
}

fn usable<'a>(_: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    seed.why_unusable().map(Reason::Fixed)
}

fn profile_labels<'a>(
    it: &Scheduling<'a>,
    seed: &'a Seed,
    _: &Candidates<'_>,
) -> Option<Reason<'a>> {
    let selector = it.profile.seed_selector.as_ref()?;
    let matches = it.wanted.is_offered && selector.matches(&seed.metadata.labels);
    because(!matches, "is not selected by the profile")
}

fn shoot_labels<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let selector = it.shoot.spec.seed_selector.as_ref()?;
    let matches = it.wanted.selects && selector.matches(&seed.metadata.labels);
    because(!matches, "is not selected by spec.seedSelector")
}

fn provider<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let kind = &seed.spec.provider.kind;
    let types = it.profile.seed_selector.as_ref().map(|selector| &selector.provider_types);
    let fits = match types.filter(|types| !types.is_empty()) {
        None => *kind == it.shoot.spec.provider.kind,
        Some(types) => types.iter().any(|it| it == kind || it == "*"),
    };
    (!fits).then_some(Reason::Provider(kind))
}

fn zone_count<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let count = seed.spec.provider.zones.len();
    let few = it.shoot.survives_zones() && count < ZONES;
    few.then_some(Reason::Zones(count))
}

fn zones<'a>(it: &Scheduling<'a>, seed: &'a Seed, left: &Candidates<'_>) -> Option<Reason<'a>> {
    if it.shoot.survives_zones() {
        return None;
    }
    let pinned = it.shoot.control_plane_zones();
    if !pinned.is_empty() {
        let lacks = pinned.iter().any(|zone| !seed.spec.provider.zones.contains(zone));
        return because(lacks, "lacks a zone of spec.controlPlane.zones");
    }
    let wanted = &it.wanted.zones;
    let shares = |seed: &Seed| {
        let mut zones = seed.spec.provider.zones.iter();
        wanted.is_empty() || zones.any(|zone| wanted.contains(zone.as_str()))
    };
    let keeps = |seed: &Seed| match seed.zone_selection() {
        "Enforce" | "Prefer" => shares(seed),
        _ => true,
    };
    let out = match seed.zone_selection() {
        "Enforce" => !shares(seed),
        // Excludes the seed only if a better one remains.
        "Prefer" => {
            let any_keeps = || left.seeds.iter().any(|other| keeps(other));
            !shares(seed) && *left.any_shares_zones.get_or_init(any_keeps)
        }
        _ => false,
    };
    because(out, "has no zone in common with the worker pools")
}

fn access_restrictions<'a>(
    it: &Scheduling<'a>,
    seed: &'a Seed,
    _: &Candidates<'_>,
) -> Option<Reason<'a>> {
    let wanted = &it.shoot.spec.access_restrictions;
    because(!seed.supports(wanted), "lacks an access restriction")
}

fn domain<'a>(it: &Scheduling<'a>, seed: &'a Seed, left: &Candidates<'_>) -> Option<Reason<'a>> {
    let domain = it.shoot.domain()?;
    let any_serves = || {
        let mut all = left.seeds.iter().flat_map(|seed| &seed.spec.dns.defaults);
        all.any(|default| is_below(domain, &default.domain))
    };
    if !*left.any_serves_domain.get_or_init(any_serves) {
        return None;
    }
    let (name, project) = (&it.shoot.metadata.name, it.project?);
    let fits = |default: &str| domain == format!("{name}.{project}.{default}");
    let serves = seed.spec.dns.defaults.iter().any(|it| fits(&it.domain));
    (!serves).then_some(Reason::Domain(domain))
}

fn emergency_stop<'a>(
    _: &Scheduling<'a>,
    seed: &'a Seed,
    _: &Candidates<'_>,
) -> Option<Reason<'a>> {
    because(seed.is_stopped(), "does not reconcile Shoots at present")
}

fn ranges<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let (shoot, networks) = (it.shoot, &seed.spec.networks);
    let own = &it.wanted.networking;
    let (pods, services) = with_defaults(own, shoot.is_workerless(), networks);
    let nodes = own.nodes.as_ref();
    let mut ranges = [nodes, services, pods].into_iter().flatten();
    let conflict = ranges.find_map(|range| conflicts(range, networks).into_iter().next());
    conflict.map(Reason::Range)
}

fn taints<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let tolerated = &it.wanted.tolerated;
    if tolerated.cover(&seed.spec.taints) {
        return None;
    }
    let taints = tolerated.untolerated(&seed.spec.taints);
    Some(if taints.is_empty() {
        Reason::Fixed("has more taints than the Shoot has tolerations")
    } else {
        Reason::Taints(list(taints))
    })
}

fn room<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let limit = seed.allocatable_shoots()?;
    let used = (it.used)(&seed.metadata.name)?;
    let is_full = i64::try_from(used).unwrap_or(i64::MAX) >= limit;
    is_full.then_some(Reason::Full(used))
}

fn strategy<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let (shoot, provider) = (it.shoot, &seed.spec.provider);
    let is_for_tests = shoot.spec.purpose.as_deref() == Some("testing");
    let is_by_region = it.strategy == Some(Strategy::SameRegion);
    if (is_for_tests || is_by_region) && provider.kind != shoot.spec.provider.kind {
        return Some(Reason::Provider(&provider.kind));
    }
    let is_elsewhere = provider.region != shoot.spec.region;
    (is_by_region && !is_for_tests && is_elsewhere).then_some(Reason::Region(&provider.region))
}

fn defaults<'a>(it: &Scheduling<'a>, seed: &'a Seed, _: &Candidates<'_>) -> Option<Reason<'a>> {
    let (own, workerless) = (&it.wanted.networking, it.shoot.is_workerless());
    unfit_defaults(own, workerless, &seed.spec.networks).map(Reason::Defaults)
}
