// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::api::is_default;

/// A toleration of a Shoot, or an entry of a Project's or the global toleration lists.
///
/// Its identity is `key` without a value and `key=value` with one; an empty value is a value.
#[derive(
    Clone,
    Debug,
    Default,
    Deserialize,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd,
    Serialize,
    schemars::JsonSchema,
)]
pub struct Toleration {
    /// The taint key that is tolerated.
    #[serde(default, skip_serializing_if = "is_default")]
    pub key: String,
    /// The taint value; absent and empty are different things.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Toleration {
    /// Returns a toleration without a value.
    pub fn bare(key: &str) -> Self {
        Self { key: key.to_owned(), value: None }
    }

    /// Returns a toleration with a value.
    pub fn with_value(key: &str, value: &str) -> Self {
        Self { key: key.to_owned(), value: Some(value.to_owned()) }
    }

    /// Reports whether this entry of a whitelist covers `toleration`.
    ///
    /// Without a value it covers every value of its key.
    pub fn covers(&self, toleration: &Toleration) -> bool {
        self.key == toleration.key && (self.value.is_none() || self.value == toleration.value)
    }
}

/// Writes the identity: `key` or `key=value`.
impl fmt::Display for Toleration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            None => f.write_str(&self.key),
            Some(value) => write!(f, "{}={value}", self.key),
        }
    }
}
