// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use jiff::Timestamp;

use super::{Profile, image_version, image_versions, kubernetes_versions};
use crate::admission::{FieldPath, FindingKind, Findings, Write};
use garden_gate_model::gardener::version::{Classified, expiry, is_expired};

/// Checks that no new version has expired; other checks refuse one that is merely classified `expired`.
pub(crate) fn check_not_expired<P: Profile>(
    Write { new, old }: Write<'_, P>,
    now: Timestamp,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let (new, old) = (new.parts(), old.map(P::parts).unwrap_or_default());
    let versions = old.kubernetes.iter();
    let stored: HashSet<&str> = versions.map(|version| version.version.as_str()).collect();
    for (index, version) in expired(new.kubernetes, now) {
        if !stored.contains(version.version.as_str()) {
            let path = kubernetes_versions("spec").index(index);
            let name = format!("version `{}`", version.version);
            refuse(kind, &name, version, &path, findings);
        }
    }
    let mut stored = None;
    for (position, image) in new.images.iter().enumerate() {
        for (index, version) in expired(&image.versions, now) {
            // Most writes add no such version, and need no comparison.
            let known = stored.get_or_insert_with(|| image_versions(old.images));
            if !known.contains_key(&(image.name.as_str(), version.version.as_str())) {
                let name = format!("version `{}` of image `{}`", version.version, image.name);
                let path = image_version("spec", position, index);
                refuse(kind, &name, version, &path, findings);
            }
        }
    }
}

fn expired<T: Classified>(versions: &[T], now: Timestamp) -> impl Iterator<Item = (usize, &T)> {
    versions
        .iter()
        .enumerate()
        .filter(move |(_, version)| expiry(*version).is_some() && is_expired(*version, now))
}

fn refuse(
    kind: &'static FindingKind,
    name: &str,
    version: &impl Classified,
    place: &FieldPath,
    findings: &mut Findings,
) {
    let date = expiry(version).unwrap_or(Timestamp::MIN);
    let message = format!("{name} is new, but it expired at `{date}`");
    let field = if version.lifecycle().is_empty() { "expirationDate" } else { "lifecycle" };
    findings
        .forbid(kind, place.child(field), message)
        .value(date.to_string())
        .help("correct the date, or leave the version out");
}
