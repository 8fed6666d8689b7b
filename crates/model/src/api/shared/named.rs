// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;

use crate::api::ObjectMeta;

/// An object of which only the name is used (Namespace, CloudProfile, Shoot in the garden).
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Named {
    /// Name and namespace.
    #[serde(default)]
    pub metadata: ObjectMeta,
}
