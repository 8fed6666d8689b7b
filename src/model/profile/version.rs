use std::ops::Deref;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::{bounded, is_default, null_is_default, time::time};

/// A version with what decides how it is classified over time.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpirableVersion {
    /// The version as written; two spellings are two versions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
    /// `preview`, `supported`, `deprecated`, `expired`, or free text that validation refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// When the version expires.
    #[serde(
        default,
        deserialize_with = "time",
        skip_serializing_if = "Option::is_none"
    )]
    pub expiration_date: Option<Timestamp>,
    /// Stages in the order of the list; takes the place of the two fields above.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lifecycle: Lifecycle,
}

/// The stages of a version's life. Absent and empty are equal and differ only to those who ask [`Self::is_absent`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Lifecycle(
    #[serde(deserialize_with = "bounded::optional_short_list")] Option<Vec<LifecycleStage>>,
);

impl Lifecycle {
    /// Whether there is not even an empty list.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

impl Deref for Lifecycle {
    type Target = [LifecycleStage];

    fn deref(&self) -> &[LifecycleStage] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl PartialEq for Lifecycle {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// From `start_time` on, a version has this classification.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleStage {
    /// As in [`ExpirableVersion::classification`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub classification: String,
    /// Absent means since ever.
    #[serde(
        default,
        deserialize_with = "time",
        skip_serializing_if = "Option::is_none"
    )]
    pub start_time: Option<Timestamp>,
}
