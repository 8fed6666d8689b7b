// SPDX-License-Identifier: Apache-2.0
use serde_json::value::RawValue;

use garden_gate_core::garden::ObjectKey;
use garden_gate_products::report::Reviewed;

/// A stored object with its findings.
pub(in crate::cli) struct StoredObject<'a> {
    pub(in crate::cli) key: ObjectKey,
    pub(in crate::cli) stored: &'a RawValue,
    pub(in crate::cli) reviewed: Reviewed,
}
