// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use jiff::Timestamp;

use super::classification::{Classified, is_supported, rank};
use crate::api::LifecycleStage;
use garden_gate_text::go::Version;

const SUPPORTED: &str = "supported";
/// Maximum number of overlapping versions that are named.
const NAMED: usize = 3;
/// Maximum number of versions of the same minor with which a version is compared stage by stage.
///
/// Only lifecycles need this comparison, and it must not take a second.
const COMPARED: usize = 1_000;

/// A version that is supported together with others of its minor version.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Overlap {
    /// Its position in the list.
    pub index: usize,
    /// The positions of the first few overlapping versions.
    pub others: Vec<usize>,
    /// The number of overlapping versions.
    pub count: usize,
}

/// Returns the supported versions that share their minor version with other supported ones.
///
/// Only versions that are explicitly and currently supported are returned: by their classification or, if `counts_stages`,
/// by a stage of their lifecycle.
///
/// Mirrors validateSupportedVersionsConfiguration in `pkg/api/core/validation/utils.go`: the other versions are included whatever
/// their dates, if they are classified `supported` or have such a stage. If one of them cannot be parsed, no overlaps are returned.
pub fn supported_overlaps<T: Classified>(
    versions: &[T],
    (now, counts_stages): (Timestamp, bool),
) -> Vec<Overlap> {
    let Some(minors) = candidates(versions) else {
        return Vec::new();
    };
    let explicit = versions.iter().enumerate().filter(|(_, version)| {
        let is_staged = counts_stages && !version.lifecycle().is_empty();
        (version.classification().is_some() || is_staged) && is_supported(*version, now)
    });
    let overlaps = explicit.filter_map(|(index, version)| {
        let parsed = Version::parse(version.version()).ok()?;
        let minor = minors.get(&(parsed.major, parsed.minor))?;
        let (others, count) = if version.lifecycle().is_empty() {
            others_than(&parsed, minor)
        } else {
            compare(version, &parsed, minor)
        };
        (count > 0).then_some(Overlap { index, others, count })
    });
    overlaps.collect()
}

type Minors = HashMap<(u64, u64), Vec<Candidate>>;

struct Candidate {
    version: Version,
    /// Its position in the list.
    index: usize,
    support: Option<Support>,
    is_staged: bool,
}

/// Returns the versions that are supported at some time, by minor version and in order.
fn candidates<T: Classified>(versions: &[T]) -> Option<Minors> {
    let mut minors = Minors::new();
    for (index, version) in versions.iter().enumerate() {
        let declared = version.classification() == Some(SUPPORTED);
        let stage = || {
            let mut stages = version.lifecycle().iter();
            stages.any(|stage| stage.classification == SUPPORTED)
        };
        if declared || stage() {
            let parsed = Version::parse(version.version()).ok()?;
            let minor = minors.entry((parsed.major, parsed.minor)).or_default();
            minor.push(Candidate {
                version: parsed,
                index,
                support: Support::of(version.lifecycle()),
                is_staged: !version.lifecycle().is_empty(),
            });
        }
    }
    let sort = |minor: &mut Vec<Candidate>| {
        minor.sort_by(|a, b| (&a.version, a.index).cmp(&(&b.version, b.index)));
    };
    minors.values_mut().for_each(sort);
    Some(minors)
}

/// Returns the overlaps of a version without stages: every candidate that is not equal to it.
fn others_than(version: &Version, minor: &[Candidate]) -> (Vec<usize>, usize) {
    let from = minor.partition_point(|other| other.version < *version);
    let to = minor.partition_point(|other| other.version <= *version);
    let others = minor[..from].iter().chain(&minor[to..]);
    let named = others.take(NAMED).map(|other| other.index).collect();
    (named, minor.len() - (to - from))
}

fn compare<T: Classified>(
    version: &T,
    parsed: &Version,
    minor: &[Candidate],
) -> (Vec<usize>, usize) {
    let support = Support::of(version.lifecycle());
    let overlaps = |other: &&Candidate| {
        other.version != *parsed && (!other.is_staged || overlap(support, other.support))
    };
    let others = minor.iter().take(COMPARED).filter(overlaps);
    let named = others.clone().take(NAMED).map(|other| other.index);
    (named.collect(), others.count())
}

fn overlap(a: Option<Support>, b: Option<Support>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    match (a.end, b.end) {
        (None, None) => true,
        (None, Some(end)) => begins_before(a.begin, end),
        (Some(end), None) => begins_before(b.begin, end),
        (Some(_), Some(_)) => false,
    }
}

/// Reports whether a begin is before an end.
///
/// A stage with an unknown start time begins before all others; an end without a time is never after a begin.
fn begins_before(begin: Option<Timestamp>, end: Option<Timestamp>) -> bool {
    match (begin, end) {
        (None, _) => true,
        (Some(begin), Some(end)) => begin < end,
        (Some(_), None) => false,
    }
}

/// The start of a version's support, and the stage that ends it.
#[derive(Clone, Copy)]
struct Support {
    begin: Option<Timestamp>,
    end: Option<Option<Timestamp>>,
}

impl Support {
    fn of(stages: &[LifecycleStage]) -> Option<Self> {
        let begin = stages.iter().find(|stage| stage.classification == SUPPORTED)?;
        let end = stages.iter().find(|stage| rank(&stage.classification) > rank(SUPPORTED));
        Some(Self { begin: begin.start_time, end: end.map(|stage| stage.start_time) })
    }
}
