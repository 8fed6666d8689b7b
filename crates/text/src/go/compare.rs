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
    let constraint = Constraint::parse(&format!("{operator} {}", without_suffix(other)))?;
    let version = without_suffix(version);
    Ok(constraint.matches(&Version::parse(&version)?))
}

fn without_suffix(version: &str) -> String {
    let version = version.replace('v', "");
    let end = version.find(['-', '+', '~']).unwrap_or(version.len());
    version[..end].to_owned()
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
