// SPDX-License-Identifier: Apache-2.0
//! Choice of the target version of maintenance: the building blocks.

use jiff::Timestamp;

use super::super::classification::{Classified, current_classification};
use garden_gate_text::go::{Version, VersionTest};

/// A version that can be chosen.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) version: Version,
    pub(super) text: &'a str,
    pub(super) classification: &'a str,
}

impl Candidate<'_> {
    pub(super) fn is(&self, classification: &str) -> bool {
        self.classification == classification
    }
}

/// Returns the versions of a list with their classifications at `now`.
///
/// Skips versions that cannot be parsed.
pub(super) fn candidates<'a, T: Classified + 'a>(
    versions: impl IntoIterator<Item = &'a T>,
    now: Timestamp,
) -> Vec<Candidate<'a>> {
    let candidate = |version: &'a T| {
        Some(Candidate {
            version: Version::parse(version.version()).ok()?,
            text: version.version(),
            classification: current_classification(version, now),
        })
    };
    versions.into_iter().filter_map(candidate).collect()
}

/// The part of a version in which an update makes a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Major,
    Minor,
}

impl Part {
    fn of(self, version: &Version) -> u64 {
        match self {
            Part::Major => version.major,
            Part::Minor => version.minor,
        }
    }
}

/// Returns the highest version that `keep` accepts and that is not in preview.
///
/// The first of several equal ones.
fn latest<'a, 'c>(
    list: &'c [Candidate<'a>],
    keep: impl Fn(&Candidate<'a>) -> bool,
) -> Option<&'c Candidate<'a>> {
    let zero = |version: &Version| Version::parse("0.0.0").is_ok_and(|zero| *version <= zero);
    let mut highest: Option<&Candidate<'_>> = None;
    for candidate in list {
        let takes_part = !candidate.is("preview") && keep(candidate);
        if takes_part && highest.is_none_or(|known| candidate.version > known.version) {
            highest = Some(candidate);
        }
    }
    highest.filter(|it| !zero(&it.version))
}

/// Returns the highest version above `current` that is not expired, preferably not deprecated.
fn auto<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
    keep: impl Fn(&Candidate<'a>) -> bool,
) -> Option<&'c Candidate<'a>> {
    let higher = |it: &Candidate<'a>| it.version > *current && !it.is("expired") && keep(it);
    latest(list, |it| higher(it) && !it.is("deprecated")).or_else(|| latest(list, higher))
}

/// Mirrors GetLatestVersionForPatchAutoUpdate.
pub(super) fn patch_auto<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
) -> Option<&'c Candidate<'a>> {
    let same_minor = VersionTest::new("~", &current.to_string());
    auto(list, current, |it| same_minor.passes(it.text))
}

/// Mirrors GetLatestVersionForMinorAutoUpdate.
pub(super) fn minor_auto<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
) -> Option<&'c Candidate<'a>> {
    patch_auto(list, current)
        .or_else(|| auto(list, current, |it| it.version.major == current.major))
}

/// Mirrors GetOverallLatestVersionForAutoUpdate.
pub(super) fn major_auto<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
) -> Option<&'c Candidate<'a>> {
    patch_auto(list, current).or_else(|| auto(list, current, |_| true))
}

/// Mirrors GetVersionForForcefulUpdateToConsecutiveMinor.
///
/// Kubernetes is updated by exactly one minor version.
pub(super) fn next_minor<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
) -> Option<&'c Candidate<'a>> {
    let next = |it: &Candidate<'a>| {
        it.version.major == current.major && Some(it.version.minor) == current.minor.checked_add(1)
    };
    latest(list, |it| next(it) && !it.is("expired")).or_else(|| latest(list, next))
}

/// Mirrors GetVersionForForcefulUpdateToNextHigherMinor and …Major: the next higher part, whatever the distance.
///
/// If all versions of that part are expired, or if it was skipped because of previews only, the choice is repeated with expired versions.
pub(super) fn next_higher<'a, 'c>(
    list: &'c [Candidate<'a>],
    current: &Version,
    part: Part,
) -> Option<&'c Candidate<'a>> {
    let mut sorted: Vec<&Candidate<'_>> = list.iter().collect();
    sorted.sort_by(|a, b| a.version.cmp(&b.version));
    let keep = |it: &Candidate<'_>| match part {
        Part::Major => it.version.major > current.major,
        Part::Minor => it.version.major == current.major && it.version.minor > current.minor,
    };
    let (best, next) = scan(&sorted, current, part, |it| keep(it) && !it.is("expired"));
    let skipped = |best: &Candidate<'_>| next.is_some_and(|next| part.of(&best.version) > next);
    match best {
        Some(best) if !skipped(best) => Some(best),
        _ => scan(&sorted, current, part, keep).0,
    }
}

/// Mirrors GetQualifyingVersionForNextHigher: the best version, and the next value of the part that any version has.
///
/// The next value is determined before any filter: previews, expired versions and other majors are included.
fn scan<'a, 'c>(
    sorted: &[&'c Candidate<'a>],
    current: &Version,
    part: Part,
    keep: impl Fn(&Candidate<'a>) -> bool,
) -> (Option<&'c Candidate<'a>>, Option<u64>) {
    let mut best: Option<&Candidate<'_>> = None;
    let mut next = None;
    for candidate in sorted {
        let value = part.of(&candidate.version);
        if value > part.of(current) && next.is_none_or(|next| value < next) {
            next = Some(value);
        }
        if candidate.is("preview") || !keep(candidate) {
            continue;
        }
        if best.is_some_and(|best| value > part.of(&best.version)) {
            break;
        }
        best = Some(candidate);
    }
    (best, next)
}
