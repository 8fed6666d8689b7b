// SPDX-License-Identifier: Apache-2.0
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

use semver::{BuildMetadata, Prerelease};
use thiserror::Error;

/// Maximum size of a version in bytes, as in Masterminds/semver.
const MAX_LEN: usize = 256;

/// A leniently parsed version.
///
/// A leading `v`, a missing minor or patch number, and leading zeros are allowed. Mirrors `NewVersion` of
/// Masterminds/semver v3.5.0. Equality and order ignore build metadata, so `1.2.3+a` and `1.2.3+b` are equal; otherwise the
/// order is total. A version without a long pre-release or build metadata is not on the heap.
#[derive(Clone, Debug)]
pub struct Version(semver::Version);

/// Error of an invalid version.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum VersionError {
    /// The version exceeds the maximum size.
    #[error("it has more than 256 bytes")]
    TooLong,
    /// The version is not of the form `1.2.3-pre+build`.
    #[error("it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`")]
    Malformed,
    /// A number does not fit 64 bits.
    #[error("one of its numbers does not fit into 64 bits")]
    TooLarge,
    /// A numeric pre-release identifier begins with zero.
    #[error("a numeric pre-release part begins with 0")]
    LeadingZero,
}

impl Version {
    /// Parses a version.
    ///
    /// # Errors
    /// Returns the reason if `text` is not a version.
    pub fn parse(text: &str) -> Result<Self, VersionError> {
        if let Some([major, minor, patch]) = plain(text) {
            return Ok(Self(semver::Version::new(major, minor, patch)));
        }
        if text.len() > MAX_LEN {
            return Err(VersionError::TooLong);
        }
        let rest = text.strip_prefix('v').unwrap_or(text);
        let (rest, metadata) = split_identifiers(rest, '+')?;
        let (numbers, prerelease) = split_identifiers(rest, '-')?;
        let mut parts = numbers.split('.');
        let mut number = || parts.next().map_or(Ok(0), parse_number);
        let (major, minor, patch) = (number()?, number()?, number()?);
        if parts.next().is_some() {
            return Err(VersionError::Malformed);
        }
        if prerelease.split('.').any(has_leading_zero) {
            return Err(VersionError::LeadingZero);
        }
        let mut version = semver::Version::new(major, minor, patch);
        // The checks above have already refused invalid identifiers.
        version.pre = Prerelease::new(prerelease).map_err(|_| VersionError::Malformed)?;
        version.build = BuildMetadata::new(metadata).map_err(|_| VersionError::Malformed)?;
        Ok(Self(version))
    }

    /// Reports whether both have the same major and minor version.
    pub fn same_minor(&self, other: &Self) -> bool {
        (self.major, self.minor) == (other.major, other.minor)
    }
}

/// Parses three short numbers with nothing else, which most versions are.
fn plain(text: &str) -> Option<[u64; 3]> {
    let (mut numbers, mut index, mut digits) = ([0; 3], 0, 0);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' if digits < 9 => {
                numbers[index] = numbers[index] * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if digits > 0 && index < 2 => (index, digits) = (index + 1, 0),
            _ => return None,
        }
    }
    (index == 2 && digits > 0).then_some(numbers)
}

/// Splits the string at the first `sign`; dot-separated identifiers must follow.
fn split_identifiers(text: &str, sign: char) -> Result<(&str, &str), VersionError> {
    let Some((before, after)) = text.split_once(sign) else {
        return Ok((text, ""));
    };
    if after.split('.').all(is_identifier) {
        Ok((before, after))
    } else {
        Err(VersionError::Malformed)
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn has_leading_zero(identifier: &str) -> bool {
    identifier.len() > 1
        && identifier.starts_with('0')
        && identifier.bytes().all(|b| b.is_ascii_digit())
}

fn parse_number(text: &str) -> Result<u64, VersionError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(VersionError::Malformed);
    }
    text.parse().map_err(|_| VersionError::TooLarge)
}

impl Deref for Version {
    type Target = semver::Version;

    fn deref(&self) -> &semver::Version {
        &self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.0.cmp_precedence(&other.0);
        let same = (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch);
        if same && order.is_ne() {
            by_digits_as_text(&self.pre, &other.pre).unwrap_or(order)
        } else {
            order
        }
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

/// Compares pre-releases in the one case in which Masterminds/semver and the specification differ.
///
/// In `comparePrerelease`, digits that do not fit 64 bits are strings. Returns `None` if the order does not depend on such
/// digits.
fn by_digits_as_text(a: &Prerelease, b: &Prerelease) -> Option<Ordering> {
    let mut pairs = a.split('.').zip(b.split('.'));
    let (a, b) = pairs.find(|(a, b)| a != b)?;
    let rank = |it: &str| it.parse::<u64>().is_err();
    let is_decided = a.is_empty() || b.is_empty() || !(is_large(a) || is_large(b));
    (!is_decided).then(|| (rank(a), a).cmp(&(rank(b), b)))
}

fn is_large(identifier: &str) -> bool {
    identifier.bytes().all(|b| b.is_ascii_digit()) && identifier.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::{Version, VersionError};

    #[test]
    fn leading_zero_of_a_prerelease_is_named() {
        let error = |text| Version::parse(text).err();
        assert_eq!(error("1.0.0-01"), Some(VersionError::LeadingZero));
        assert_eq!(error("1.0.0-0"), None);
        assert_eq!(error("1.0.0-0a"), None);
    }
}
