// SPDX-License-Identifier: Apache-2.0
//! Volumes and zones of worker pools. Source: `ValidateWorkers` in `pkg/apis/alicloud/validation/shoot.go`.

use std::collections::HashSet;

use super::judged::{Judged, POOL};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::provider_shoots::{PoolVolumes, check_pool_zones};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Worker;

/// Maximum number of data volumes of a machine.
const DATA_VOLUMES: usize = 64;
/// Maximum length of the name of a data volume, in bytes.
const LONGEST_NAME: usize = 64;

const VOLUMES: PoolVolumes = PoolVolumes { kind: &POOL, example: "cloud_essd" };

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let zones = &judged.infrastructure.networks.zones;
    let known: HashSet<&str> = zones.iter().map(|it| it.name.as_str()).collect();
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        check_volumes(pool, &place, findings);
        let names = zones.iter().map(|it| &it.name);
        check_pool_zones(pool, &known, names, &POOL, &place.child("zones"), findings);
    }
}

fn check_volumes(pool: &Worker, place: &ReportedPath, findings: &mut Findings) {
    if let Some(volume) = VOLUMES.required(pool, place, findings) {
        VOLUMES.check(volume, &place.child("volume"), findings);
    }
    VOLUMES.check_count(pool, DATA_VOLUMES, place, findings);
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        let at = place.child("dataVolumes").index(index);
        check_name(volume.name.as_deref().unwrap_or_default(), &at, findings);
        VOLUMES.check(volume, &at, findings);
    }
}

fn check_name(name: &str, place: &ReportedPath, findings: &mut Findings) {
    let (error, message) = if !is_name(name) {
        let message = format!("`{}` is not a valid name of a data volume", short(name));
        (ErrorType::Invalid, message)
    } else if name.len() > LONGEST_NAME {
        let message = format!("the name of a data volume has more than {LONGEST_NAME} characters");
        (ErrorType::TooLong, message)
    } else {
        return;
    };
    findings.report_lazily(&POOL, |findings| {
        place
            .child("name")
            .report((&POOL, error), message, findings)
            .value(name)
            .help("begin with a letter, and use 2 to 64 letters, digits and `-`");
    });
}

/// Matches `^[a-zA-Z][a-zA-Z0-9\.\-_:]+$`.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let is_start = chars.next().is_some_and(|it| it.is_ascii_alphabetic());
    let rest = chars.as_str();
    let is_inner = |it: char| it.is_ascii_alphanumeric() || ".-_:".contains(it);
    is_start && !rest.is_empty() && rest.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_name;

    #[rstest]
    #[case::letters("data", true)]
    #[case::punctuation("d-1.a_b:c", true)]
    #[case::one_letter("d", false)]
    #[case::digit_first("1data", false)]
    #[case::other_character("data/1", false)]
    #[case::empty("", false)]
    fn names(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_name(name), expected);
    }
}
