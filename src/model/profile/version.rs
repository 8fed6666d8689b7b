use std::ops::Deref;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::{bounded, is_default, null_is_default, time::time};

/// A version with the fields that determine its classification over time.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpirableVersion {
    /// The version as written; two spellings are two versions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
    /// `preview`, `supported`, `deprecated`, `expired`, or free text that validation refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// The expiration date of the version.
    #[serde(
        default,
        deserialize_with = "time",
        skip_serializing_if = "Option::is_none"
    )]
    pub expiration_date: Option<Timestamp>,
    /// Stages in the order of the list; replaces the two fields above.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lifecycle: Lifecycle,
}

/// The stages of a version's lifecycle.
///
/// Absent and empty compare as equal; [`Self::is_absent`] distinguishes them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Lifecycle(
    #[serde(deserialize_with = "bounded::optional_short_list")] Option<Vec<LifecycleStage>>,
);

impl Lifecycle {
    /// Reports whether the list is absent rather than empty.
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

/// A stage: from `start_time` on, the version has this classification.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleStage {
    /// As in [`ExpirableVersion::classification`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub classification: String,
    /// The start; absent means that the stage has always been active.
    #[serde(
        default,
        deserialize_with = "time",
        skip_serializing_if = "Option::is_none"
    )]
    pub start_time: Option<Timestamp>,
}
