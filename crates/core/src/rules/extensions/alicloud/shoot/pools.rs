//! Volumes and zones of worker pools. Source: `ValidateWorkers` in `pkg/apis/alicloud/validation/shoot.go`.

use std::collections::HashSet;

use super::judged::{Judged, POOL};
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use crate::rules::shared::lists::{list, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::{Volume, Worker};

/// Maximum number of data volumes of a machine.
const DATA_VOLUMES: usize = 64;
/// Maximum length of the name of a data volume, in bytes.
const LONGEST_NAME: usize = 64;

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let zones = &judged.infrastructure.networks.zones;
    let known: HashSet<&str> = zones.iter().map(|it| it.name.as_str()).collect();
    for (index, pool) in judged.shoot.spec.provider.workers.iter().enumerate() {
        let place = ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        check_volumes(pool, &place, findings);
        check_zones(judged, pool, &known, &place.child("zones"), findings);
    }
}

fn check_volumes(pool: &Worker, place: &ReportedPath, findings: &mut Findings) {
    match &pool.volume {
        Some(volume) => check_volume(volume, &place.child("volume"), findings),
        None => {
            let message = format!("pool `{}` has no volume", short(&pool.name));
            place
                .child("volume")
                .report((&POOL, ErrorType::Required), message, findings)
                .help("set it, for example to `{type: cloud_essd, size: 50Gi}`");
        }
    }
    let count = pool.data_volumes.len();
    let place = place.child("dataVolumes");
    if count > DATA_VOLUMES {
        let message =
            format!("there are {count} data volumes, but at most {DATA_VOLUMES} are allowed");
        place
            .report((&POOL, ErrorType::TooMany), message, findings)
            .help(Help::remove("remove data volumes"));
    }
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        let place = place.index(index);
        check_name(volume.name.as_deref().unwrap_or_default(), &place, findings);
        check_volume(volume, &place, findings);
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

fn check_volume(volume: &Volume, place: &ReportedPath, findings: &mut Findings) {
    for (field, is_missing, help) in [
        ("type", volume.volume_type.is_none(), "set it, for example to `cloud_essd`"),
        ("size", volume.size.is_empty(), "set it, for example to `50Gi`"),
    ] {
        if is_missing {
            findings.report_lazily(&POOL, |findings| {
                let message = format!("the volume has no `{field}`");
                place
                    .child(field)
                    .report((&POOL, ErrorType::Required), message, findings)
                    .help(help);
            });
        }
    }
}

fn check_zones(
    judged: &Judged<'_>,
    pool: &Worker,
    known: &HashSet<&str>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if pool.zones.is_empty() {
        let message = format!("pool `{}` has no zones", short(&pool.name));
        place
            .report((&POOL, ErrorType::Required), message, findings)
            .help("list zones of the `infrastructureConfig`");
    }
    for (index, zone) in pool.zones.iter().enumerate() {
        if !known.contains(zone.as_str()) {
            findings.report_lazily(&POOL, |findings| {
                let zones = &judged.infrastructure.networks.zones;
                let message = format!("the `infrastructureConfig` has no zone `{}`", short(zone));
                place
                    .index(index)
                    .report((&POOL, ErrorType::Invalid), message, findings)
                    .value(zone.as_str())
                    .help(format!(
                        "use one of {}, or add it there",
                        list(zones.iter().map(|it| &it.name))
                    ));
            });
        }
    }
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
