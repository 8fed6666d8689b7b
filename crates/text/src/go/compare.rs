// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use thiserror::Error;

use super::{Constraint, ConstraintError, Version, VersionError};

/// Error of a version comparison.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum CompareError {
    /// The left side is not a version.
    #[error("the version cannot be read: {0}")]
    Version(#[from] VersionError),
    /// Operator and right side are not a constraint.
    #[error("the constraint cannot be read: {0}")]
    Constraint(#[from] ConstraintError),
}

/// Reports whether `version` is `operator` (`<`, `~`, …) `other`, without suffixes.
///
/// Mirrors `CompareVersions` in `pkg/utils/version`: both sides lose every letter `v` and everything from the first `-`,
/// `+` or `~` on. The rest of `other` is parsed as part of a constraint, so it may be partial.
///
/// # Errors
/// Fails if one side cannot be parsed.
pub fn compare_versions(version: &str, operator: &str, other: &str) -> Result<bool, CompareError> {
    let constraint = constraint(operator, other)?;
    Ok(constraint.matches(&Version::parse(&without_suffix(version))?))
}

/// A comparison of several versions with one, as by [`compare_versions`].
#[derive(Clone, Debug)]
pub struct VersionTest(Option<Constraint>);

impl VersionTest {
    /// Creates the test whether versions are `operator` (`<`, `~`, …) `other`.
    pub fn new(operator: &str, other: &str) -> Self {
        Self(constraint(operator, other).ok())
    }

    /// Reports whether a version passes; `false` if one of the sides cannot be parsed.
    pub fn passes(&self, version: &str) -> bool {
        let Some(constraint) = &self.0 else { return false };
        Version::parse(&without_suffix(version)).is_ok_and(|it| constraint.matches(&it))
    }
}

fn constraint(operator: &str, other: &str) -> Result<Constraint, ConstraintError> {
    Constraint::parse(&format!("{operator} {}", without_suffix(other)))
}

fn without_suffix(version: &str) -> Cow<'_, str> {
    let end = version.find(['-', '+', '~']).unwrap_or(version.len());
    let version = &version[..end];
    if version.contains('v') { version.replace('v', "").into() } else { version.into() }
}

/// Reports whether `version` is in Kubernetes `major.minor` or later; pre-releases count.
///
/// Returns `false` for invalid versions. Mirrors the `ConstraintK8s…` of `pkg/utils/version`, whose bounds are below every
/// pre-release (`>= 1.33-0`).
pub fn is_at_least(version: &str, major: u64, minor: u64) -> bool {
    Version::parse(version).is_ok_and(|v| (v.major, v.minor) >= (major, minor))
}

/// Reports whether `version` is in a Kubernetes minor version before `major.minor`.
///
/// Returns `false` for invalid versions. Mirrors the `ConstraintK8sLess…` of `pkg/utils/version` (`< 1.33-0`).
pub fn is_before(version: &str, major: u64, minor: u64) -> bool {
    Version::parse(version).is_ok_and(|v| (v.major, v.minor) < (major, minor))
}
