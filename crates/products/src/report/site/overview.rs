// SPDX-License-Identifier: Apache-2.0
//! The first page.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use super::groups::{Group, Groups, State};
use super::landscape::{Landscape, SiteShoot};
use crate::forecast::{Class, Part, Status};

/// The days within which a forced update is soon.
const SOON: i64 = 14;
/// The days within which a version is about to expire.
const EXPIRING: i64 = 30;
/// Maximum number of expiring versions.
const MOST_EXPIRING: usize = 50;
/// Maximum number of notes.
const MOST_NOTES: usize = 20;
/// Number of Shoots that a group names.
const EXAMPLES: usize = 3;

/// The overview of a landscape.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SiteOverview")]
pub(super) struct Document<'a> {
    /// The time of the audit, and the start of the forecast.
    pub(super) at: Timestamp,
    /// The end of the forecast.
    pub(super) until: Timestamp,
    /// The version of Gardener by which objects are judged.
    pub(super) gardener: String,
    /// The program and its version.
    generator: &'static str,
    /// Notes, such as files that could not be read.
    pub(super) notes: Vec<&'a str>,
    /// The number of omitted notes.
    pub(super) notes_more: usize,
    /// The number of Shoots by state.
    pub(super) counts: Counts,
    /// The days within which a forced update counts as soon.
    pub(super) soon_days: i64,
    /// The days within which a version counts as about to expire.
    pub(super) expiring_days: i64,
    /// What people must do, by date.
    pub(super) act: Vec<Item<'a>>,
    /// The number of omitted items.
    pub(super) act_more: usize,
    /// Forced updates, by date.
    pub(super) forced: Vec<Item<'a>>,
    /// The number of omitted items.
    pub(super) forced_more: usize,
    /// Versions in use that are about to expire, by date.
    pub(super) expiring: Vec<Expiring<'a>>,
    /// The number of omitted versions.
    expiring_more: usize,
}

/// Numbers of Shoots; `expiring` is one of versions.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SiteCounts")]
pub(super) struct Counts {
    /// All Shoots.
    pub(super) shoots: usize,
    /// The Projects with Shoots.
    pub(super) projects: usize,
    /// Shoots for which a person must act.
    pub(super) must_act: usize,
    /// Shoots with a forced update soon as the most urgent event.
    pub(super) forced_soon: usize,
    /// Shoots with a forced update as the most urgent event.
    pub(super) forced: usize,
    /// Shoots that rules refuse.
    pub(super) refused: usize,
    /// Shoots with other findings.
    warned: usize,
    /// Shoots without a forecast.
    pub(super) not_forecast: usize,
    /// Versions in use that are about to expire.
    pub(super) expiring: usize,
}

/// Equal events or refusals of several Shoots.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteItem")]
pub(super) struct Item<'a> {
    /// The id, by which clusters are filtered.
    pub(super) group: String,
    /// `blocked`, `impossible`, `deleted`, `no-forecast`, `refused` or `forced`.
    pub(super) kind: &'static str,
    /// The first day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(super) first: Option<Date>,
    /// The last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(super) last: Option<Date>,
    /// The number of Shoots.
    pub(super) shoots: usize,
    /// The first Shoots.
    pub(super) examples: Vec<Example<'a>>,
    /// The change, or the violation.
    pub(super) what: &'a str,
    /// The reasons, one sentence each.
    pub(super) why: &'a [String],
    /// The remedies, one sentence each.
    pub(super) advice: &'a [String],
    /// The id of the rule that refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

/// The name of a Shoot.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteShootName")]
pub(super) struct Example<'a> {
    /// The namespace.
    pub(super) namespace: &'a str,
    /// The name.
    pub(super) name: &'a str,
    /// The Project; empty if it is unknown.
    pub(super) project: &'a str,
    /// The owner of the Project.
    pub(super) owner: &'a str,
}

/// A version in use that is about to expire.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteExpiringVersion")]
pub(super) struct Expiring<'a> {
    /// The profile.
    pub(super) profile: &'a str,
    /// `Kubernetes`, or the name of the machine image.
    pub(super) part: &'a str,
    /// The version.
    pub(super) version: &'a str,
    /// The expiration date.
    pub(super) at: Timestamp,
    /// The number of Shoots that use it.
    pub(super) shoots: usize,
    /// Whether a Shoot has no version to which it can be updated then.
    pub(super) stranded: bool,
}

pub(super) fn document<'a>(landscape: &'a Landscape, groups: &'a Groups) -> Document<'a> {
    let items =
        |of: &'a [Group]| -> Vec<Item<'a>> { of.iter().map(|it| item(landscape, it)).collect() };
    let mut expiring = expiring(landscape);
    let counts = counts(landscape, groups, expiring.len());
    let expiring_more = expiring.len().saturating_sub(MOST_EXPIRING);
    expiring.truncate(MOST_EXPIRING);
    Document {
        at: landscape.at,
        until: landscape.until,
        gardener: landscape.judged.version.to_string(),
        generator: concat!("garden-gate ", env!("CARGO_PKG_VERSION")),
        notes: landscape.notes.iter().take(MOST_NOTES).map(String::as_str).collect(),
        notes_more: landscape.notes.len().saturating_sub(MOST_NOTES),
        counts,
        soon_days: SOON,
        expiring_days: EXPIRING,
        act: items(&groups.act),
        act_more: groups.more_act,
        forced: items(&groups.forced),
        forced_more: groups.more_forced,
        expiring,
        expiring_more,
    }
}

fn item<'a>(landscape: &'a Landscape, group: &'a Group) -> Item<'a> {
    let shoots = group.shoots.iter().filter_map(|it| landscape.shoots.get(*it));
    let examples = shoots.take(EXAMPLES).map(|it| {
        let ((namespace, name), owner) = (it.key(), it.owner());
        Example { namespace, name, project: &owner.project, owner: &owner.name }
    });
    Item {
        group: group.id(),
        kind: group.kind,
        first: group.days.map(|(first, _)| first),
        last: group.days.map(|(_, last)| last),
        shoots: group.shoots.len(),
        examples: examples.collect(),
        what: &group.what,
        why: &group.why,
        advice: &group.advice,
        rule: group.rule,
    }
}

pub(super) fn counts(landscape: &Landscape, groups: &Groups, expiring: usize) -> Counts {
    let (at, shoots) = (landscape.at, &landscape.shoots);
    let soon = at.checked_add(SignedDuration::from_hours(SOON * 24)).unwrap_or(landscape.until);
    let states: Vec<State> = (0..shoots.len()).map(|it| groups.state(landscape, it)).collect();
    let mut namespaces: Vec<&str> = shoots.iter().map(|it| it.key().0).collect();
    namespaces.dedup();
    let of_state = |state: State| states.iter().filter(|it| **it == state).count();
    let is_forced_soon = |shoot: &SiteShoot| {
        let mut windows = shoot.forecast.iter().flat_map(|it| &it.forecast.windows);
        windows.any(|it| {
            it.earliest < soon && it.events.iter().any(|event| event.class == Class::Forced)
        })
    };
    let forced: Vec<&SiteShoot> = shoots
        .iter()
        .zip(&states)
        .filter(|(_, state)| **state == State::Forced)
        .map(|(shoot, _)| shoot)
        .collect();
    Counts {
        shoots: shoots.len(),
        projects: namespaces.len(),
        must_act: of_state(State::Act),
        forced_soon: forced.iter().filter(|it| is_forced_soon(it)).count(),
        forced: forced.len(),
        refused: shoots.iter().filter(|it| it.is_refused()).count(),
        warned: shoots.iter().filter(|it| !it.is_refused() && !it.findings.is_empty()).count(),
        not_forecast: of_state(State::Unknown),
        expiring,
    }
}

/// Returns the versions in use that are about to expire, by date.
fn expiring(landscape: &Landscape) -> Vec<Expiring<'_>> {
    let at = landscape.at;
    let end = at.checked_add(SignedDuration::from_hours(EXPIRING * 24)).unwrap_or(landscape.until);
    let mut known: BTreeMap<_, Expiring<'_>> = BTreeMap::new();
    for shoot in landscape.shoots.iter().filter_map(|it| it.forecast.as_ref().ok()) {
        let profile = shoot.forecast.profile.as_str();
        // A Shoot counts once, however many of its pools use the version.
        let mut of_shoot: BTreeMap<(Timestamp, &str, &str), bool> = BTreeMap::new();
        for standing in &shoot.forecast.standings {
            let part = match &standing.part {
                Part::Image { image, .. } => image.as_str(),
                _ => "Kubernetes",
            };
            if let Some(expires) = standing.expires.filter(|it| at < *it && *it < end) {
                let is_stranded = of_shoot.entry((expires, part, &*standing.version)).or_default();
                *is_stranded |= standing.status == Status::NoUpdatePossible;
            }
        }
        for ((at, part, version), is_stranded) in of_shoot {
            let new = Expiring { profile, part, version, at, shoots: 0, stranded: false };
            let expiring = known.entry((at, profile, part, version)).or_insert(new);
            expiring.shoots += 1;
            expiring.stranded |= is_stranded;
        }
    }
    known.into_values().collect()
}
