// SPDX-License-Identifier: Apache-2.0
//! Availability of a Kubernetes version in a CloudProfile, for control planes and pools.

use jiff::Timestamp;

use crate::admission::{FieldPath, FindingKind, Findings};
use crate::rules::shared::profiles::name_some;
use garden_gate_model::api::{CloudProfileSpec, ExpirableVersion};
use garden_gate_model::gardener::version::{expiry, is_active, is_unavailable};

/// Maximum number of versions that a message names; the others are counted.
const NAMED: usize = 5;

/// The finding kinds that the calling rule reports.
pub(crate) struct Kinds {
    pub unknown: &'static FindingKind,
    pub expired: &'static FindingKind,
    pub unavailable: &'static FindingKind,
}

/// The versions of a profile that may be used.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Allowed {
    /// For new objects: versions that are neither expired nor in the future.
    Active,
    /// For existing objects: all listed versions.
    Listed,
}

/// Checks `version`, which is compared as a string, as in Gardener.
pub(crate) fn check(
    version: &str,
    spec: &CloudProfileSpec,
    (allowed, now): (Allowed, Timestamp),
    (kinds, path): (&Kinds, FieldPath),
    findings: &mut Findings,
) {
    let versions = &spec.kubernetes.versions;
    let is_allowed = |it: &ExpirableVersion| allowed == Allowed::Listed || is_active(it, now);
    let mut same = versions.iter().filter(|it| it.version == version).peekable();
    let listed = same.peek().copied();
    if same.any(is_allowed) {
        return;
    }
    let (kind, message) = match listed {
        None => (
            kinds.unknown,
            ["the profile does not list Kubernetes version `", version, "`"].concat(),
        ),
        Some(listed) if is_unavailable(listed, now) => {
            (kinds.unavailable, format!("Kubernetes version `{version}` is not available yet"))
        }
        Some(listed) => (kinds.expired, expired(listed)),
    };
    let choice: Vec<&ExpirableVersion> = versions.iter().filter(|it| is_allowed(it)).collect();
    let names = name_versions(&choice);
    findings
        .unsupported(kind, path, message)
        .value(version)
        .help(["the profile offers ", &names].concat());
}

/// Returns the names of the first versions, and the number of the others.
pub(crate) fn name_versions(versions: &[&ExpirableVersion]) -> String {
    let names = versions.iter().take(NAMED).map(|it| name(it));
    name_some(names, versions.len())
}

fn expired(version: &ExpirableVersion) -> String {
    let name = &version.version;
    match expiry(version) {
        Some(date) => format!("Kubernetes version `{name}` expired at `{date}`"),
        None => format!("Kubernetes version `{name}` has expired"),
    }
}

fn name(version: &ExpirableVersion) -> String {
    let preview = version.classification.as_deref() == Some("preview");
    let note = if preview { " (preview)" } else { "" };
    ["`", &version.version, "`", note].concat()
}
