// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::api::null_is_default;

/// The user who sends a request.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct UserInfo {
    /// The user name; service accounts are `system:serviceaccount:<namespace>:<name>`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub username: String,
    /// The user's unique id, if the authenticator sets one.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub uid: String,
    /// The groups.
    #[serde(default, deserialize_with = "null_is_default")]
    pub groups: Vec<String>,
    /// Further attributes from the authenticator.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub extra: BTreeMap<String, Vec<String>>,
}
