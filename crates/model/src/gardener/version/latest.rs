// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::classification::{Classified, is_deprecated, is_preview};
use garden_gate_text::go::Version;

/// The highest versions of a list, as positions in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Latest {
    /// The highest of all; the first of several equal ones.
    pub overall: usize,
    /// The highest that is not deprecated; `None` if every one is.
    pub not_deprecated: Option<usize>,
}

/// Returns the highest versions of `versions`.
///
/// Returns `None` for an empty list, or if a version cannot be parsed. Mirrors DetermineLatestExpirableVersion in `pkg/api/core/helper`.
/// With `skip_preview`, versions that are in preview at `now` are skipped, but have to be valid, too.
pub fn latest<T: Classified>(versions: &[T], now: Timestamp, skip_preview: bool) -> Option<Latest> {
    let mut overall = None;
    let mut not_deprecated = None;
    for (index, version) in versions.iter().enumerate() {
        let parsed = Version::parse(version.version()).ok()?;
        if skip_preview && is_preview(version, now) {
            continue;
        }
        if !is_deprecated(version, now) {
            raise(&mut not_deprecated, parsed.clone(), index);
        }
        raise(&mut overall, parsed, index);
    }
    let (_, overall) = overall?;
    Some(Latest { overall, not_deprecated: not_deprecated.map(|(_, index)| index) })
}

fn raise(highest: &mut Option<(Version, usize)>, version: Version, index: usize) {
    if highest.as_ref().is_none_or(|(known, _)| version > *known) {
        *highest = Some((version, index));
    }
}
