// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use garden_gate_text::go::{Version, VersionError};

/// A minor version of Gardener 1.x, by which objects are judged.
///
/// It may be newer than [`Self::NEWEST`] or older than [`Self::OLDEST`]. Comparisons with the known versions then have the
/// result of the newest or oldest one, so that callers do not have to handle such versions, except for
/// [`Self::is_newer_than_known`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct GardenerVersion {
    minor: u16,
}

/// Error of an invalid version of Gardener.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum GardenerVersionError {
    /// The text is not a version.
    #[error("`{0}` is not a version: {1}")]
    Malformed(String, VersionError),
    /// The major version is not 1.
    #[error("`{0}` is not a version of Gardener 1.x")]
    Major(String),
    /// The minor version is missing, too old to be judged at all, or not plausible.
    #[error("Gardener `{0}` cannot be judged")]
    Minor(String),
}

impl GardenerVersion {
    /// The oldest version whose differences are known.
    pub const OLDEST: Self = Self::of_minor(139);
    /// The newest version whose fields and rules are known.
    pub const NEWEST: Self = Self::of_minor(150);

    /// Minor versions that are not mistaken for another number, such as `1.15` for `1.150`.
    const PLAUSIBLE: std::ops::RangeInclusive<u64> = 100..=999;
    /// Maximum number of quoted characters of an invalid version.
    const LONGEST_QUOTE: usize = 40;

    /// Returns Gardener 1.`minor`.
    pub const fn of_minor(minor: u16) -> Self {
        Self { minor }
    }

    /// Parses a version such as `1.145`, `v1.145.4` or `v1.150.0-dev`.
    ///
    /// # Errors
    /// Fails if it is not a version of Gardener 1.x, or older than 1.100.
    pub fn parse(text: &str) -> Result<Self, GardenerVersionError> {
        let quoted = || text.chars().take(Self::LONGEST_QUOTE).collect::<String>();
        let version =
            Version::parse(text).map_err(|why| GardenerVersionError::Malformed(quoted(), why))?;
        if version.major != 1 {
            return Err(GardenerVersionError::Major(quoted()));
        }
        match u16::try_from(version.minor) {
            Ok(minor) if Self::PLAUSIBLE.contains(&version.minor) => Ok(Self::of_minor(minor)),
            _ => Err(GardenerVersionError::Minor(quoted())),
        }
    }

    /// Returns the known version by which objects are judged: this one, the oldest or the newest.
    #[must_use]
    pub fn known(self) -> Self {
        self.clamp(Self::OLDEST, Self::NEWEST)
    }

    /// Reports whether the version may have fields that are unknown, so that unknown fields are undetermined.
    pub fn is_newer_than_known(self) -> bool {
        self > Self::NEWEST
    }

    /// Returns the number of minor versions by which it is newer than [`Self::NEWEST`]; 0 if it is known or older.
    pub fn minors_ahead(self) -> u16 {
        self.minor.saturating_sub(Self::NEWEST.minor)
    }
}

/// The newest known version.
impl Default for GardenerVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl FromStr for GardenerVersion {
    type Err = GardenerVersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for GardenerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gardener_version_has_major_one_and_a_plausible_minor() {
        for (text, expected) in [
            ("1.145", "1.145"),
            ("v1.145.4", "1.145"),
            ("v1.145.4-dev", "1.145"),
            ("v1.150.0-dev-4a1b", "1.150"),
            ("1.139.0+build", "1.139"),
            ("1.100", "1.100"),
            ("v1.151", "1.151"),
        ] {
            let version = GardenerVersion::parse(text).map(|it| it.to_string());
            assert_eq!(version.as_deref(), Ok(expected), "{text}");
        }
        let form = "it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`";
        for (text, expected) in [
            ("2", "`2` is not a version of Gardener 1.x".to_owned()),
            ("0.145", "`0.145` is not a version of Gardener 1.x".to_owned()),
            ("1", "Gardener `1` cannot be judged".to_owned()),
            ("1.9", "Gardener `1.9` cannot be judged".to_owned()),
            ("1.15", "Gardener `1.15` cannot be judged".to_owned()),
            ("1.1500", "Gardener `1.1500` cannot be judged".to_owned()),
            ("latest", format!("`latest` is not a version: {form}")),
            ("", format!("`` is not a version: {form}")),
            ("1.145,1.146", format!("`1.145,1.146` is not a version: {form}")),
            ("V1.145", format!("`V1.145` is not a version: {form}")),
        ] {
            let error = GardenerVersion::parse(text).map_err(|it| it.to_string());
            assert_eq!(error, Err(expected), "{text}");
        }
    }

    #[test]
    fn long_garbage_is_quoted_in_part() {
        let error = GardenerVersion::parse(&"9".repeat(200)).unwrap_err();
        assert!(error.to_string().len() < 120, "{error}");
    }

    #[test]
    fn unknown_versions_are_judged_as_the_nearest_known_one() {
        let known = |text| GardenerVersion::parse(text).unwrap().known();
        assert_eq!(known("1.138"), GardenerVersion::OLDEST);
        assert_eq!(known("1.145").to_string(), "1.145");
        assert_eq!(known("1.999"), GardenerVersion::NEWEST);
        let ahead = ["1.100", "1.149", "1.150", "1.151", "1.156", "1.999"]
            .map(|it| GardenerVersion::parse(it).unwrap().minors_ahead());
        assert_eq!(ahead, [0, 0, 0, 1, 6, 849]);
        let newer = GardenerVersion::of_minor(151);
        assert!(newer.is_newer_than_known());
        assert!(!GardenerVersion::NEWEST.is_newer_than_known());
        assert_eq!(GardenerVersion::default(), GardenerVersion::NEWEST);
    }
}
