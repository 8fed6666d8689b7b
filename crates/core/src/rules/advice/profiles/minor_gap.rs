// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::admission::{Context, FindingKind, Findings, Write, rule};
use crate::rules::cloud_profile::version_in_use::related_users;
use crate::rules::shared::profiles::{kubernetes_versions, name_some};
use garden_gate_model::api::{CloudProfile, ExpirableVersion};
use garden_gate_model::gardener::version::is_preview;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("minor_gap.md"),
    id: "advice/minor-gap",
    summary: "warns about a missing Kubernetes minor version between two listed ones",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        GAP = "advice/minor-gap": "Shoots of a minor version cannot be updated, because the next one is missing",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let old =
        profile.old.map(|old| gaps(&old.spec.kubernetes.versions, context.now)).unwrap_or_default();
    report(context, (new, &GAP), |minor| !old.contains_key(minor), findings);
}

/// Reports the gaps of a profile, below the minor versions that `is_wanted` selects.
pub(crate) fn report(
    context: &Context<'_>,
    (profile, kind): (&CloudProfile, &'static FindingKind),
    is_wanted: impl Fn(&(u64, u64)) -> bool,
    findings: &mut Findings,
) {
    let gaps = gaps(&profile.spec.kubernetes.versions, context.now);
    for ((major, minor), stranded) in gaps.iter().filter(|(minor, _)| is_wanted(minor)) {
        let named = stranded.iter().take(3).map(|version| format!("`{version}`"));
        let versions = name_some(named, stranded.len());
        let message = format!(
            "Shoots cannot leave {versions}: no version of {major}.{} is on offer{}",
            minor + 1,
            running(context, &profile.metadata.name, stranded)
        );
        let path = kubernetes_versions("spec");
        findings
            .invalid(kind, path, message)
            .value(format!("{major}.{}", minor + 1))
            .help("keep a version of each minor in between");
    }
}

/// Returns the number of affected Shoots as text; empty if it is unknown.
fn running(context: &Context<'_>, profile: &str, versions: &[&str]) -> String {
    let Ok(users) = related_users(context, profile) else {
        return String::new();
    };
    let counts = users.iter().flat_map(|users| {
        let shoots = versions.iter().filter_map(|version| users.of_kubernetes(version));
        shoots.map(|shoots| shoots.len())
    });
    match counts.sum() {
        0_usize => "; no Shoot runs them".to_owned(),
        1 => "; 1 Shoot runs them".to_owned(),
        count => format!("; {count} Shoots run them"),
    }
}

/// Returns the versions of each minor version without an update to the next one, by minor version.
fn gaps(versions: &[ExpirableVersion], now: Timestamp) -> BTreeMap<(u64, u64), Vec<&str>> {
    let parsed = versions.iter().filter_map(|version| {
        let parsed = Version::parse(&version.version).ok()?;
        Some(((parsed.major, parsed.minor), version))
    });
    let mut minors: BTreeMap<(u64, u64), Vec<&ExpirableVersion>> = BTreeMap::new();
    for (minor, version) in parsed {
        minors.entry(minor).or_default().push(version);
    }
    let Some(highest) = minors.keys().next_back().copied() else {
        return BTreeMap::new();
    };
    let has_next = |(major, minor): (u64, u64)| {
        let next = minors.get(&(major, minor.saturating_add(1)));
        next.is_some_and(|next| next.iter().any(|version| !is_preview(*version, now)))
    };
    // A next minor version in preview is not a gap if no higher one is available.
    let offered = minors.iter().filter(|(_, v)| v.iter().any(|v| !is_preview(*v, now)));
    let top = offered.map(|(minor, _)| *minor).next_back().unwrap_or(highest);
    let below = minors.iter().filter(|(minor, _)| **minor < top && minor.0 == top.0);
    let gaps = below.filter(|(minor, _)| !has_next(**minor));
    gaps.map(|(minor, versions)| (*minor, versions.iter().map(|v| v.version.as_str()).collect()))
        .collect()
}
