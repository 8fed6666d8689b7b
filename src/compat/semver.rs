use std::cmp::Ordering;
use std::fmt;

use thiserror::Error;

/// The longest version that is read, in bytes; Masterminds/semver has the same limit.
const MAX_LEN: usize = 256;

/// A version, read leniently: `v` in front, missing minor or patch number and leading zeros are fine.
///
/// Mirrors `NewVersion` of Masterminds/semver v3.5.0. Equality and order ignore build metadata, so `1.2.3+a` and
/// `1.2.3+b` are equal; a total order otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The first number.
    pub major: u64,
    /// The second number; 0 if absent.
    pub minor: u64,
    /// The third number; 0 if absent.
    pub patch: u64,
    /// What follows `-`; empty if absent.
    pub prerelease: &'a str,
    /// What follows `+`; empty if absent.
    pub metadata: &'a str,
}

/// Why a text is not a version.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum VersionError {
    /// Longer than any version is allowed to be.
    #[error("it has more than 256 bytes")]
    TooLong,
    /// Not of the form `1.2.3-pre+build`.
    #[error("it is not of the form `1.2.3`, optionally with `-prerelease` and `+build`")]
    Malformed,
    /// A number that does not fit 64 bits.
    #[error("one of its numbers does not fit into 64 bits")]
    TooLarge,
    /// A numeric pre-release identifier that begins with zero.
    #[error("a numeric pre-release part begins with 0")]
    LeadingZero,
}

impl<'a> Version<'a> {
    /// Reads a version.
    ///
    /// # Errors
    /// When `text` is not a version, with the reason.
    pub fn parse(text: &'a str) -> Result<Self, VersionError> {
        if text.len() > MAX_LEN {
            return Err(VersionError::TooLong);
        }
        let rest = text.strip_prefix('v').unwrap_or(text);
        if let Some(version) = plain(rest) {
            return Ok(version);
        }
        let (rest, metadata) = split_identifiers(rest, '+')?;
        let (numbers, prerelease) = split_identifiers(rest, '-')?;
        let mut numbers = numbers.split('.');
        let mut number = || numbers.next().map_or(Ok(0), parse_number);
        let (major, minor, patch) = (number()?, number()?, number()?);
        if numbers.next().is_some() {
            return Err(VersionError::Malformed);
        }
        if prerelease.split('.').any(has_leading_zero) {
            return Err(VersionError::LeadingZero);
        }
        Ok(Self {
            major,
            minor,
            patch,
            prerelease,
            metadata,
        })
    }

    /// Whether both belong to the same minor version.
    #[must_use]
    pub fn same_minor(&self, other: &Version<'_>) -> bool {
        (self.major, self.minor) == (other.major, other.minor)
    }
}

/// The common case, at a fraction of the price: up to three numbers of at most 19 digits, and nothing else.
fn plain(text: &str) -> Option<Version<'static>> {
    let mut numbers = [0; 3];
    let mut number: usize = 0;
    let mut digits = 0;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' if digits < 19 => {
                numbers[number] = numbers[number] * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if digits > 0 && number < 2 => {
                number += 1;
                digits = 0;
            }
            _ => return None,
        }
    }
    let [major, minor, patch] = numbers;
    (digits > 0).then_some(Version {
        major,
        minor,
        patch,
        prerelease: "",
        metadata: "",
    })
}

/// Splits off what follows the first `sign`, which must be dot-separated identifiers.
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

impl fmt::Display for Version<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

impl Ord for Version<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |v: &Version<'_>| (v.major, v.minor, v.patch);
        let release = |v: &Version<'_>| v.prerelease.is_empty();
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| release(self).cmp(&release(other)))
            .then_with(|| compare_prereleases(self.prerelease, other.prerelease))
    }
}

impl PartialOrd for Version<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version<'_> {}

/// Compares identifier by identifier; a longer list is greater if all before is equal.
///
/// Mirrors comparePrerelease of Masterminds/semver: numbers come before text, and digits that do not fit 64 bits are text.
/// An empty pre-release is a list of one empty identifier, which is smaller than any other.
pub(super) fn compare_prereleases(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (a, b) => compare_identifiers(a.unwrap_or_default(), b.unwrap_or_default()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn compare_identifiers(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        _ if a.is_empty() || b.is_empty() => a.cmp(b),
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}
