// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use jiff::Timestamp;
use serde::Deserializer;
use serde::de::{self, Unexpected, Visitor};

use garden_gate_text::go::parse_time;

/// Deserializes a time as Go does; `null` is absent.
pub(crate) fn time<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Timestamp>, D::Error> {
    deserializer.deserialize_option(TimeVisitor)
}

struct TimeVisitor;

impl<'de> Visitor<'de> for TimeVisitor {
    type Value = Option<Timestamp>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a time as in `2006-01-02T15:04:05Z`")
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let time = parse_time(text);
        time.map(Some).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
