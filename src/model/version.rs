use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{is_default, null_is_default};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<Timestamp>,
    /// Stages in the order of the list; takes the place of the two fields above.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub lifecycle: Vec<LifecycleStage>,
}

/// From `start_time` on, a version has this classification.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleStage {
    /// As in [`ExpirableVersion::classification`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub classification: String,
    /// Absent means since ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_time: Option<Timestamp>,
}
