use jiff::Timestamp;

use super::classification::{Classified, is_deprecated, is_preview};
use crate::compat::Version;

/// The highest versions of a list, as positions in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Latest {
    /// The highest of all; the first of several equal ones.
    pub overall: usize,
    /// The highest that is not deprecated; `None` if every one is.
    pub not_deprecated: Option<usize>,
}

/// The highest versions of `versions`; `None` if there is none, or one of them cannot be read.
///
/// Mirrors DetermineLatestExpirableVersion in `pkg/api/core/helper`. With `skip_preview`, versions that are in preview
/// at `now` do not take part, whether they can be read or not.
pub fn latest<T: Classified>(versions: &[T], now: Timestamp, skip_preview: bool) -> Option<Latest> {
    let mut overall = None;
    let mut not_deprecated = None;
    for (index, version) in versions.iter().enumerate() {
        if skip_preview && is_preview(version, now) {
            continue;
        }
        let parsed = Version::parse(version.version()).ok()?;
        raise(&mut overall, parsed, index);
        if !is_deprecated(version, now) {
            raise(&mut not_deprecated, parsed, index);
        }
    }
    let (_, overall) = overall?;
    Some(Latest {
        overall,
        not_deprecated: not_deprecated.map(|(_, index)| index),
    })
}

fn raise<'a>(highest: &mut Option<(Version<'a>, usize)>, version: Version<'a>, index: usize) {
    if highest.is_none_or(|(known, _)| version > known) {
        *highest = Some((version, index));
    }
}
