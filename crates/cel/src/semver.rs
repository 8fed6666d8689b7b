// SPDX-License-Identifier: Apache-2.0
use std::cmp::Ordering;
use std::fmt;

/// A semantic version, as `github.com/blang/semver/v4` parses it.
#[derive(Clone, Debug)]
pub struct Semver {
    pub(super) major: u64,
    pub(super) minor: u64,
    pub(super) patch: u64,
    pre: Vec<String>,
    build: Vec<String>,
    /// The length of the string in bytes.
    length: usize,
}

impl Semver {
    /// Parses a version.
    ///
    /// # Errors
    /// Returns the message of the library.
    pub(super) fn parse(version: &str) -> Result<Self, String> {
        if version.is_empty() {
            return Err("Version string empty".to_owned());
        }
        let mut parts = version.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("No Major.Minor.Patch elements found".to_owned());
        };
        let major = number(major, "major")?;
        let minor = number(minor, "minor")?;
        let (rest, build) = match rest.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (rest, None),
        };
        let (patch, pre) = match rest.split_once('-') {
            Some((patch, pre)) => (patch, Some(pre)),
            None => (rest, None),
        };
        let patch = number(patch, "patch")?;
        let pre = pre.map_or(Ok(Vec::new()), |it| it.split('.').map(pre_release).collect());
        let build = build.map_or(Ok(Vec::new()), |it| it.split('.').map(build_part).collect());
        Ok(Self { major, minor, patch, pre: pre?, build: build?, length: version.len() })
    }

    /// Parses a version leniently, as `semver(text, true)` does: with `v`, leading zeros, or fewer numbers.
    ///
    /// # Errors
    /// Returns the message of Kubernetes.
    pub(super) fn parse_normalized(text: &str) -> Result<Self, String> {
        let mut parts: Vec<String> =
            text.strip_prefix('v').unwrap_or(text).splitn(3, '.').map(without_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|it| it.contains(['+', '-'])) {
                let message = "short version cannot contain PreRelease/Build meta data";
                return Err(message.to_owned());
            }
            parts.resize(3, "0".to_owned());
        }
        Self::parse(&parts.join("."))
    }

    /// Returns the length of the string from which it was parsed, in bytes.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Compares two versions; build metadata does not count.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let numbers = |it: &Self| (it.major, it.minor, it.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.pre.is_empty(), other.pre.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => self.compare_pre(other),
            }
        })
    }

    fn compare_pre(&self, other: &Self) -> Ordering {
        let pairs = self.pre.iter().zip(&other.pre);
        let order = pairs.map(|(a, b)| match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        });
        let first = order.into_iter().find(|it| it.is_ne());
        first.unwrap_or_else(|| self.pre.len().cmp(&other.pre.len()))
    }
}

impl fmt::Display for Semver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.pre.is_empty() {
            write!(f, "-{}", self.pre.join("."))?;
        }
        if !self.build.is_empty() {
            write!(f, "+{}", self.build.join("."))?;
        }
        Ok(())
    }
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

fn number(text: &str, what: &str) -> Result<u64, String> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {what} number {text:?}"));
    }
    if has_leading_zero(text) {
        return Err(format!("{} number must not contain leading zeroes {text:?}", capital(what)));
    }
    text.parse().map_err(|_| range_error(text))
}

fn capital(what: &str) -> String {
    let (first, rest) = what.split_at_checked(1).unwrap_or((what, ""));
    first.to_ascii_uppercase() + rest
}

fn range_error(text: &str) -> String {
    let reason = if text.is_empty() { "invalid syntax" } else { "value out of range" };
    format!("strconv.ParseUint: parsing {text:?}: {reason}")
}

fn pre_release(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        if has_leading_zero(text) {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {text:?}"
            ));
        }
        return match text.parse::<u64>() {
            Ok(_) => Ok(text.to_owned()),
            Err(_) => Err(range_error(text)),
        };
    }
    if text.bytes().all(is_identifier) {
        return Ok(text.to_owned());
    }
    Err(format!("Invalid character(s) found in prerelease {text:?}"))
}

fn build_part(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned());
    }
    if text.bytes().all(is_identifier) {
        return Ok(text.to_owned());
    }
    Err(format!("Invalid character(s) found in build meta data {text:?}"))
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Removes leading zeros of a part; one remains before anything but a digit.
fn without_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|it: char| it.is_ascii_digit()) {
        rest.to_owned()
    } else {
        format!("0{rest}")
    }
}
