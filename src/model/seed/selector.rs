use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{bounded, is_default, null_is_default};

/// A selector of seeds: a label selector plus provider types.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedSelector {
    /// Labels that a seed must carry with exactly these values.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub match_labels: BTreeMap<String, String>,
    /// Further requirements on a seed's labels.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub match_expressions: Vec<LabelSelectorRequirement>,
    /// Provider types of seeds; empty means no restriction here.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub provider_types: Vec<String>,
}

/// One requirement of a label selector.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct LabelSelectorRequirement {
    /// The label key.
    #[serde(default, deserialize_with = "null_is_default")]
    pub key: String,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else is invalid.
    #[serde(default, deserialize_with = "null_is_default")]
    pub operator: String,
    /// The values for `In` and `NotIn`.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub values: Vec<String>,
}
