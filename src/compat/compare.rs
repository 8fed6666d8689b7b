use thiserror::Error;

use super::{Constraint, ConstraintError, Version, VersionError};

/// Why two versions cannot be compared.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum CompareError {
    /// The left side is not a version.
    #[error("the version cannot be read: {0}")]
    Version(#[from] VersionError),
    /// Operator and right side are not a constraint.
    #[error("the constraint cannot be read: {0}")]
    Constraint(#[from] ConstraintError),
}

/// Whether `version` is `operator` (`<`, `~`, …) `other`, suffixes aside.
///
/// Mirrors `CompareVersions` in `pkg/utils/version`: both sides lose every letter `v` and everything from the first `-`,
/// `+` or `~` on; what is left of `other` is read as part of a constraint, so it may be partial.
///
/// # Errors
/// When one side cannot be read.
pub fn compare_versions(version: &str, operator: &str, other: &str) -> Result<bool, CompareError> {
    let constraint = Constraint::parse(&format!("{operator} {}", without_suffix(other)))?;
    let version = without_suffix(version);
    Ok(constraint.matches(&Version::parse(&version)?))
}

fn without_suffix(version: &str) -> String {
    let version = version.replace('v', "");
    let end = version.find(['-', '+', '~']).unwrap_or(version.len());
    version[..end].to_owned()
}

/// Whether `version` belongs to Kubernetes `major.minor` or a later one; pre-releases of it count, and what cannot be
/// read does not.
///
/// Mirrors the `ConstraintK8s…` of `pkg/utils/version`, whose bounds lie below every pre-release (`>= 1.33-0`).
#[must_use]
pub fn is_at_least(version: &str, major: u64, minor: u64) -> bool {
    Version::parse(version).is_ok_and(|v| (v.major, v.minor) >= (major, minor))
}

/// Whether `version` belongs to a Kubernetes minor before `major.minor`; what cannot be read does not.
///
/// Mirrors the `ConstraintK8sLess…` of `pkg/utils/version` (`< 1.33-0`).
#[must_use]
pub fn is_before(version: &str, major: u64, minor: u64) -> bool {
    Version::parse(version).is_ok_and(|v| (v.major, v.minor) < (major, minor))
}
