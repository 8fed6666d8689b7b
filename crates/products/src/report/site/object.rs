// SPDX-License-Identifier: Apache-2.0
//! An object other than a Shoot.

use schemars::JsonSchema;
use serde::Serialize;

use super::finding::{FindingFields, UnknownFields, findings, unknown};
use crate::report::Reviewed;
use garden_gate_core::garden::ObjectKey;

/// An object other than a Shoot.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteObject")]
pub(super) struct Object<'a> {
    /// The kind.
    kind: &'static str,
    /// The name.
    name: &'a str,
    /// The violations.
    findings: Vec<FindingFields<'a>>,
    /// Checks that could not be evaluated.
    undetermined: Vec<UnknownFields<'a>>,
}

/// Returns an object; `None` without findings and undetermined checks.
pub(super) fn object<'a>(key: &'a ObjectKey, reviewed: &'a Reviewed) -> Option<Object<'a>> {
    let (findings, undetermined) = (findings(reviewed), unknown(reviewed));
    let is_clean = findings.is_empty() && undetermined.is_empty();
    let object = Object { kind: key.kind.as_str(), name: &key.name, findings, undetermined };
    (!is_clean).then_some(object)
}
