//! Which seeds the scheduler would exclude, and why, in its order.
//!
//! Mirrors DetermineSeed in `pkg/scheduler/controller/shoot/reconciler.go`. What only a running gardenlet reports counts
//! as soon as it is reported.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::config::Strategy;
use crate::model::{CloudProfileSpec, Networking, Seed, SeedSelector, Shoot, Tolerated, is_below};
use crate::rules::names::list;
use crate::rules::shoot::seed::addresses::{conflicts, with_defaults};
use crate::rules::shoot::seed::seed_zones_for_zone_ha::ZONES;

/// What the scheduler looks at besides seeds.
pub(in crate::rules::shoot) struct Scheduling<'a> {
    pub shoot: &'a Shoot,
    pub wanted: Wanted<'a>,
    pub profile: &'a CloudProfileSpec,
    /// The Project's name; absent if not known.
    pub project: Option<&'a str>,
    /// Absent if not known.
    pub strategy: Option<Strategy>,
    /// How many Shoots are on a seed; absent if not known.
    pub used: &'a dyn Fn(&str) -> Option<usize>,
}

/// What a Shoot asks of every seed.
pub(in crate::rules::shoot) struct Wanted<'a> {
    /// The zones of its pools.
    zones: BTreeSet<&'a str>,
    networking: Cow<'a, Networking>,
    tolerated: Tolerated<'a>,
    /// Whether its seed selector can be read.
    selects: bool,
    /// Whether that of its profile can be.
    is_offered: bool,
}

impl<'a> Wanted<'a> {
    pub(in crate::rules::shoot) fn of(shoot: &'a Shoot, profile: &CloudProfileSpec) -> Self {
        let workers = &shoot.spec.provider.workers;
        let zones = workers.iter().flat_map(|worker| &worker.zones);
        let is_readable = |selector: &Option<SeedSelector>| {
            let selector = selector.as_ref();
            selector.is_some_and(SeedSelector::is_readable)
        };
        Self {
            zones: zones.map(String::as_str).collect(),
            networking: shoot.networking(),
            tolerated: Tolerated::by(&shoot.spec.tolerations),
            selects: is_readable(&shoot.spec.seed_selector),
            is_offered: is_readable(&profile.seed_selector),
        }
    }
}

/// The seeds that are left, and what holds for any of them.
struct Left<'a> {
    seeds: Vec<&'a Seed>,
    any_shares_zones: OnceCell<bool>,
    any_serves_domain: OnceCell<bool>,
}

/// A seed, and why it is out of the question.
pub(in crate::rules::shoot) struct Candidate<'a> {
    pub seed: &'a Seed,
    pub excluded: Option<Reason>,
}

/// Why a seed is out of the question.
type Reason = Cow<'static, str>;
/// Finds a reason, given the seed alone.
type OwnFilter = fn(&Scheduling<'_>, &Seed) -> Option<Reason>;
/// Finds a reason, given all seeds that are left with this one.
type Filter = fn(&Scheduling<'_>, &Seed, &Left<'_>) -> Option<Reason>;

/// In the order of the scheduler, those that come first.
const OWN_FILTERS: [OwnFilter; 5] = [usable, profile_labels, shoot_labels, provider, zone_count];
/// In the order of the scheduler, those that follow.
const FILTERS: [Filter; 6] = [
    zones,
    access_restrictions,
    domain,
    emergency_stop,
    candidate,
    strategy,
];

impl<'a> Candidate<'a> {
    /// A seed, and whether it is out of the question by itself.
    pub(in crate::rules::shoot) fn of(scheduling: &Scheduling<'_>, seed: &'a Seed) -> Self {
        let mut filters = OWN_FILTERS.iter();
        let excluded = filters.find_map(|filter| filter(scheduling, seed));
        Self { seed, excluded }
    }
}

/// Whether a seed is left that is not out of the question by itself, whatever other seeds there are.
pub(in crate::rules::shoot) fn surely_accepts(scheduling: &Scheduling<'_>, seed: &Seed) -> bool {
    // As if there were always a better one.
    let strictest = Left {
        seeds: Vec::new(),
        any_shares_zones: OnceCell::from(true),
        any_serves_domain: OnceCell::from(true),
    };
    FILTERS
        .iter()
        .all(|filter| filter(scheduling, seed, &strictest).is_none())
}

/// Whether nothing is left, with the reason for each seed.
pub(in crate::rules::shoot) fn exclude(
    scheduling: &Scheduling<'_>,
    candidates: &mut [Candidate<'_>],
) -> bool {
    for filter in FILTERS {
        let left = Left {
            seeds: left(candidates).collect(),
            any_shares_zones: OnceCell::new(),
            any_serves_domain: OnceCell::new(),
        };
        if left.seeds.is_empty() {
            return true;
        }
        let seeds = left.seeds.iter();
        let reasons: Vec<Option<Reason>> =
            seeds.map(|seed| filter(scheduling, seed, &left)).collect();
        let open = candidates.iter_mut().filter(|it| it.excluded.is_none());
        for (candidate, reason) in open.zip(reasons) {
            candidate.excluded = reason;
        }
    }
    left(candidates).next().is_none()
}

fn left<'a>(candidates: &[Candidate<'a>]) -> impl Iterator<Item = &'a Seed> {
    candidates
        .iter()
        .filter(|it| it.excluded.is_none())
        .map(|it| it.seed)
}

fn because<R: Into<Reason>>(condition: bool, why: impl FnOnce() -> R) -> Option<Reason> {
    condition.then(|| why().into())
}

fn usable(_: &Scheduling<'_>, seed: &Seed) -> Option<Reason> {
    if seed.metadata.deletion_timestamp.is_some() {
        return Some("is being deleted".into());
    }
    if !seed.is_visible() {
        return Some("is not visible to the scheduler".into());
    }
    let status = &seed.status;
    // A manifest without a status says nothing about readiness.
    if status.last_operation.is_none() && status.conditions.is_empty() {
        return None;
    }
    let backup = seed.spec.backup.is_none() || seed.is_true("BackupBucketsReady");
    let ready = status.last_operation.is_some() && seed.is_true("GardenletReady") && backup;
    because(!ready, || "is not ready")
}

fn profile_labels(it: &Scheduling<'_>, seed: &Seed) -> Option<Reason> {
    let selector = it.profile.seed_selector.as_ref()?;
    let matches = it.wanted.is_offered && selector.matches(&seed.metadata.labels);
    because(!matches, || "is not selected by the profile")
}

fn shoot_labels(it: &Scheduling<'_>, seed: &Seed) -> Option<Reason> {
    let selector = it.shoot.spec.seed_selector.as_ref()?;
    let matches = it.wanted.selects && selector.matches(&seed.metadata.labels);
    because(!matches, || "is not selected by spec.seedSelector")
}

fn provider(it: &Scheduling<'_>, seed: &Seed) -> Option<Reason> {
    let kind = &seed.spec.provider.kind;
    let types = it
        .profile
        .seed_selector
        .as_ref()
        .map(|selector| &selector.provider_types);
    let fits = match types.filter(|types| !types.is_empty()) {
        None => *kind == it.shoot.spec.provider.kind,
        Some(types) => types.iter().any(|it| it == kind || it == "*"),
    };
    because(!fits, || format!("has provider type `{kind}`"))
}

fn zone_count(it: &Scheduling<'_>, seed: &Seed) -> Option<Reason> {
    let count = seed.spec.provider.zones.len();
    let few = it.shoot.survives_zones() && count < ZONES;
    because(few, || format!("has {count} zones, not {ZONES}"))
}

fn zones(it: &Scheduling<'_>, seed: &Seed, left: &Left<'_>) -> Option<Reason> {
    if it.shoot.survives_zones() {
        return None;
    }
    let pinned = it.shoot.control_plane_zones();
    if !pinned.is_empty() {
        let lacks = pinned
            .iter()
            .any(|zone| !seed.spec.provider.zones.contains(zone));
        return because(lacks, || "lacks a zone of spec.controlPlane.zones");
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
        // Only where there is something better.
        "Prefer" => {
            let any_keeps = || left.seeds.iter().any(|other| keeps(other));
            !shares(seed) && *left.any_shares_zones.get_or_init(any_keeps)
        }
        _ => false,
    };
    because(out, || "has no zone in common with the worker pools")
}

fn access_restrictions(it: &Scheduling<'_>, seed: &Seed, _: &Left<'_>) -> Option<Reason> {
    let wanted = &it.shoot.spec.access_restrictions;
    because(!seed.supports(wanted), || "lacks an access restriction")
}

fn domain(it: &Scheduling<'_>, seed: &Seed, left: &Left<'_>) -> Option<Reason> {
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
    because(!serves, || format!("does not serve domain `{domain}`"))
}

fn emergency_stop(_: &Scheduling<'_>, seed: &Seed, _: &Left<'_>) -> Option<Reason> {
    let annotations = &seed.metadata.annotations;
    let stop = annotations.get("shoot.gardener.cloud/emergency-stop-reconciliations");
    because(
        stop.is_some_and(|stop| stop == "true"),
        || "does not reconcile Shoots at present",
    )
}

fn candidate(it: &Scheduling<'_>, seed: &Seed, _: &Left<'_>) -> Option<Reason> {
    let (shoot, networks) = (it.shoot, &seed.spec.networks);
    let own = &it.wanted.networking;
    let (pods, services) = with_defaults(own, shoot.is_workerless(), networks);
    let mut ranges = [&own.nodes, &services, &pods].into_iter().flatten();
    if let Some(conflict) = ranges.find_map(|range| conflicts(range, networks).into_iter().next()) {
        return Some(format!("does not fit: {conflict}").into());
    }
    let tolerated = &it.wanted.tolerated;
    if !tolerated.cover(&seed.spec.taints) {
        let taints = tolerated.untolerated(&seed.spec.taints);
        return Some(match taints.is_empty() {
            true => "has more taints than the Shoot has tolerations".into(),
            false => format!("has taints {}", list(taints)).into(),
        });
    }
    let limit = seed.allocatable_shoots()?;
    let used = i64::try_from((it.used)(&seed.metadata.name)?).unwrap_or(i64::MAX);
    because(used >= limit, || format!("is full with {used} Shoots"))
}

fn strategy(it: &Scheduling<'_>, seed: &Seed, _: &Left<'_>) -> Option<Reason> {
    let (shoot, provider) = (it.shoot, &seed.spec.provider);
    let same_provider = provider.kind == shoot.spec.provider.kind;
    if shoot.spec.purpose.as_deref() == Some("testing") || it.strategy == Some(Strategy::SameRegion)
    {
        let wrong = || format!("has provider type `{}`", provider.kind);
        let reason = because(!same_provider, wrong);
        if reason.is_some() {
            return reason;
        }
    }
    let by_region = shoot.spec.purpose.as_deref() != Some("testing")
        && it.strategy == Some(Strategy::SameRegion);
    because(by_region && provider.region != shoot.spec.region, || {
        format!("is in region `{}`", provider.region)
    })
}
