use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{LabelSelectorRequirement, bounded, is_default, null_is_default};

/// A Kubernetes label selector; an empty one selects everything.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelector {
    /// Labels with their exact values.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub match_labels: BTreeMap<String, String>,
    /// Further requirements.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

impl LabelSelector {
    /// Returns the further requirements as key, operator and values.
    pub fn expressions(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        self.match_expressions
            .iter()
            .map(LabelSelectorRequirement::parts)
    }
}

impl LabelSelectorRequirement {
    fn parts(&self) -> (&str, &str, &[String]) {
        (&self.key, &self.operator, &self.values)
    }
}
