// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::profiles::{kubernetes_versions, machine_images, name_some};
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::version::{Classified, is_supported};
use garden_gate_text::go::Version;

rule! {
    page: include_str!("supported_ambiguous.md"),
    id: "advice/supported-ambiguous",
    summary: "warns about several supported versions of one minor version or machine image",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    findings: {
        AMBIGUOUS = "advice/supported-ambiguous": "several versions of a minor version are supported, not all by their classification",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let (new, old, now) = (&new.spec, profile.old.map(|old| &old.spec), context.now);
    let found = ambiguous(&new.kubernetes.versions, now);
    let stored = old.map(|old| ambiguous(&old.kubernetes.versions, now));
    let path = kubernetes_versions("spec");
    compare(found, stored.as_ref(), "Kubernetes", &path, findings);
    let images: HashMap<&str, _> = old
        .map_or(&[][..], |old| &old.machine_images)
        .iter()
        .map(|image| (image.name.as_str(), image))
        .collect();
    for (index, image) in new.machine_images.iter().enumerate() {
        let stored = images.get(image.name.as_str());
        if stored.is_some_and(|stored| are_classified_alike(&stored.versions, &image.versions)) {
            continue;
        }
        let found = ambiguous(&image.versions, now);
        if !found.is_empty() {
            let before = stored.map(|stored| ambiguous(&stored.versions, now));
            let path = machine_images("spec").index(index).child("versions");
            let name = format!("image `{}`", image.name);
            compare(found, before.as_ref(), &name, &path, findings);
        }
    }
}

/// Reports whether all fields that determine support are unchanged.
fn are_classified_alike<T: Classified>(old: &[T], new: &[T]) -> bool {
    let alike = |(a, b): (&T, &T)| {
        a.version() == b.version()
            && a.classification() == b.classification()
            && a.expiration_date() == b.expiration_date()
            && a.lifecycle() == b.lifecycle()
    };
    old.len() == new.len() && old.iter().zip(new).all(alike)
}

/// Versions by minor version.
type Minors<'a> = BTreeMap<(u64, u64), Vec<&'a str>>;

/// Reports each minor version that is ambiguous now and was not before, or with other versions.
fn compare(
    found: Minors<'_>,
    stored: Option<&Minors<'_>>,
    what: &str,
    path: &FieldPath,
    findings: &mut Findings,
) {
    for (minor, versions) in found {
        if stored.and_then(|stored| stored.get(&minor)) == Some(&versions) {
            continue;
        }
        let named = versions.iter().take(3).map(|version| format!("`{version}`"));
        let named = name_some(named, versions.len());
        let message = format!("{what} versions {named} of one minor are all supported");
        findings
            .forbid(&AMBIGUOUS, path.clone(), message)
            .value(format!("{}.{}", minor.0, minor.1))
            .help("classify all but one of them `preview` or `deprecated`");
    }
}

/// Returns the supported versions of each minor version with several.
///
/// Skips minor versions whose supported versions are all classified as `supported`.
fn ambiguous<T: Classified>(versions: &[T], now: Timestamp) -> Minors<'_> {
    let mut minors: BTreeMap<(u64, u64), Vec<(Version, &T)>> = BTreeMap::new();
    for version in versions.iter().filter(|version| is_supported(*version, now)) {
        if let Ok(parsed) = Version::parse(version.version()) {
            let minor = minors.entry((parsed.major, parsed.minor)).or_default();
            minor.push((parsed, version));
        }
    }
    minors.retain(|_, versions| {
        let implicit = versions.iter().any(|(_, v)| v.classification().is_none());
        implicit && versions.iter().any(|(parsed, _)| *parsed != versions[0].0)
    });
    minors
        .into_iter()
        .map(|(minor, versions)| {
            let mut names: Vec<&str> = versions.into_iter().map(|(_, v)| v.version()).collect();
            names.sort_unstable();
            (minor, names)
        })
        .collect()
}
