// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use super::GardenerVersion;

/// The versions of Gardener that have a field, a rule, a finding or a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Versions {
    /// The first version that has it, if that is not older than all known ones.
    first: Option<GardenerVersion>,
    /// The last version that has it, if it was removed.
    last: Option<GardenerVersion>,
}

impl Versions {
    /// All versions.
    pub const ALL: Self = Self { first: None, last: None };

    /// Returns Gardener 1.`minor` and all later versions.
    pub const fn since(minor: u16) -> Self {
        Self::ALL.and_since(minor)
    }

    /// Returns Gardener 1.`minor` and all earlier versions.
    pub const fn until(minor: u16) -> Self {
        Self::ALL.and_until(minor)
    }

    /// Returns these versions from Gardener 1.`minor` on.
    #[must_use]
    pub const fn and_since(self, minor: u16) -> Self {
        let first = Some(GardenerVersion::of_minor(minor));
        Self { first, ..self }
    }

    /// Returns these versions up to Gardener 1.`minor`.
    #[must_use]
    pub const fn and_until(self, minor: u16) -> Self {
        let last = Some(GardenerVersion::of_minor(minor));
        Self { last, ..self }
    }

    /// Reports whether this is one of the versions.
    pub fn contains(self, version: GardenerVersion) -> bool {
        self.first.is_none_or(|first| first <= version)
            && self.last.is_none_or(|last| version <= last)
    }
}

/// `since Gardener 1.141`, `until Gardener 1.140`, both, or nothing.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (None, None) => Ok(()),
            (Some(first), None) => write!(f, "since Gardener {first}"),
            (None, Some(last)) => write!(f, "until Gardener {last}"),
            (Some(first), Some(last)) => write!(f, "from Gardener {first} until {last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_include_both_ends() {
        let both = Versions::since(141).and_until(144);
        for (versions, expected, text) in [
            (Versions::ALL, [true, true, true, true], ""),
            (Versions::since(141), [false, true, true, true], "since Gardener 1.141"),
            (Versions::until(144), [true, true, true, false], "until Gardener 1.144"),
            (both, [false, true, true, false], "from Gardener 1.141 until 1.144"),
        ] {
            let contains = |minor| versions.contains(GardenerVersion::of_minor(minor));
            assert_eq!([140, 141, 144, 145].map(contains), expected, "{versions}");
            assert_eq!(versions.to_string(), text);
        }
    }
}
