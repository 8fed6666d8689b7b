// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::api::GardenerVersion;
use garden_gate_text::go::{Version, VersionError};

/// A minor version of an extension, such as 1.74 or 0.25.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ExtensionVersion {
    major: u16,
    minor: u16,
}

/// Error of an invalid version of an extension.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ExtensionVersionError {
    /// The text is not a version.
    #[error("`{0}` is not a version: {1}")]
    Malformed(String, VersionError),
    /// A number is too large.
    #[error("`{0}` is not a version of an extension")]
    TooLarge(String),
}

impl ExtensionVersion {
    /// Maximum number of quoted characters of an invalid version.
    const LONGEST_QUOTE: usize = 40;

    /// Returns `major`.`minor`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// Parses a version such as `1.66`, `v1.66.0` or `v0.25.0-dev`.
    ///
    /// # Errors
    /// Fails if it is not a version.
    pub fn parse(text: &str) -> Result<Self, ExtensionVersionError> {
        let quoted = || text.chars().take(Self::LONGEST_QUOTE).collect::<String>();
        let version =
            Version::parse(text).map_err(|why| ExtensionVersionError::Malformed(quoted(), why))?;
        match (u16::try_from(version.major), u16::try_from(version.minor)) {
            (Ok(major), Ok(minor)) => Ok(Self::new(major, minor)),
            _ => Err(ExtensionVersionError::TooLarge(quoted())),
        }
    }

    /// Returns the minor version for comparisons with [`Versions`](crate::api::Versions) of declared fields.
    pub const fn as_declared(self) -> GardenerVersion {
        GardenerVersion::of_minor(self.minor)
    }
}

impl FromStr for ExtensionVersion {
    type Err = ExtensionVersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for ExtensionVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_version_and_prerelease_are_left_out() {
        for (text, expected) in [("1.66", "1.66"), ("v1.66.3", "1.66"), ("v0.25.0-dev", "0.25")] {
            let version = ExtensionVersion::parse(text).map(|it| it.to_string());
            assert_eq!(version.as_deref(), Ok(expected), "{text}");
        }
        for text in ["latest", "", "v1.99999.0"] {
            assert!(ExtensionVersion::parse(text).is_err(), "{text}");
        }
    }
}
