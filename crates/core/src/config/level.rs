// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::str::FromStr;

use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Serialize};

/// Effect of a finding.
#[derive(
    Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule is not evaluated, or the finding is dropped.
    Off,
    /// The request is allowed with a warning to the user.
    Warn,
    /// The request is refused.
    Deny,
}

impl Level {
    /// Returns the name in configuration and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::deserialize(text.into_deserializer())
            .map_err(|_: Error| format!("`{text}` is not a level; use deny, warn or off"))
    }
}

/// The level of a rule in each profile.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// The level in profile `documented`.
    pub documented: Level,
    /// The level in profile `gardener`.
    pub gardener: Level,
    /// The level in profile `hardened`.
    pub hardened: Level,
}
