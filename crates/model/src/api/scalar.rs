// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::Arc;

use jiff::SignedDuration;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use garden_gate_text::go::parse_duration;
use garden_gate_text::json::Json;

/// A number or a string such as `10%`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(untagged, expecting = "a 32-bit number or a string such as `10%`")]
pub enum IntOrPercent {
    /// A number.
    Int(i32),
    /// A string; rules check whether it is a percentage.
    Text(String),
}

impl IntOrPercent {
    /// Returns the number before the percent sign, if this is a percentage; too large ones are clamped.
    pub fn percent(&self) -> Option<i64> {
        let IntOrPercent::Text(text) = self else {
            return None;
        };
        let digits = text.strip_suffix('%')?;
        let ok = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        ok.then(|| digits.parse().unwrap_or(i64::MAX))
    }
}

impl fmt::Display for IntOrPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntOrPercent::Int(number) => write!(f, "{number}"),
            IntOrPercent::Text(text) => f.write_str(text),
        }
    }
}

/// A Go duration, with its spelling.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DurationText {
    /// As written.
    pub text: String,
    /// The duration.
    pub value: SignedDuration,
}

impl<'de> Deserialize<'de> for DurationText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value = parse_duration(&text).map_err(D::Error::custom)?;
        Ok(Self { text, value })
    }
}

/// The configuration of an extension in an object of the garden, which only gardens from files keep.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum KeptConfiguration {
    /// Not kept.
    #[default]
    Unknown,
    /// The object has none.
    Absent,
    /// Its JSON text.
    Text(Arc<str>),
}

impl KeptConfiguration {
    /// Keeps the value of a field; absent and `null` are the same.
    pub fn of(field: Option<Value>) -> Self {
        match field.filter(|it| !it.is_null()) {
            Some(value) => Self::Text(value.to_string().into()),
            None => Self::Absent,
        }
    }
}

/// A RawExtension as JSON text.
///
/// Comparison ignores the order of fields and the spelling of values, as clients convert manifests.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Opaque(Box<RawValue>);

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        Json::text(self.0.get()).same_raw(&Json::text(other.0.get()))
    }
}
