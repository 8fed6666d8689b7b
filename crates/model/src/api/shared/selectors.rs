// SPDX-License-Identifier: Apache-2.0
//! Selection by labels.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::api::{is_default, null_is_default, object};

object! {
    /// Label selector of objects; all requirements must be met.
    #[derive(Eq, PartialEq, Serialize)]
    LabelSelector {
        /// Labels and values that objects must have.
        "matchLabels": {String}
            -> #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")] match_labels: BTreeMap<String, String>;
        /// Label selector requirements.
        "matchExpressions": [LabelSelectorRequirement] -> #[mutated] match_expressions: Vec<LabelSelectorRequirement>;
    }
}

object! {
    /// Label selector requirement on one label.
    #[derive(Eq, PartialEq, Serialize)]
    LabelSelectorRequirement {
        /// Label key.
        "key": String required -> #[serialized] key: String;
        /// Operator: `In`, `NotIn`, `Exists` or `DoesNotExist`.
        "operator": String required -> #[serialized] operator: String;
        /// Values for the operators `In` and `NotIn`.
        "values": [String]
            -> #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")] values: Vec<String>;
    }
}

object! {
    /// Selector of Seeds by labels and provider types; all requirements must be met.
    #[derive(Eq, PartialEq, Serialize)]
    SeedSelector {
        /// Labels and values that Seeds must have.
        "matchLabels": {String} -> #[mutated] match_labels: BTreeMap<String, String>;
        /// Label selector requirements on Seeds.
        "matchExpressions": [LabelSelectorRequirement] -> #[mutated] match_expressions: Vec<LabelSelectorRequirement>;
        /// Allowed infrastructure provider types of Seeds; `*` for any.
        "providerTypes": [String] -> #[mutated] provider_types: Vec<String>;
    }
}

impl LabelSelector {
    /// Returns the further requirements as key, operator and values.
    pub fn expressions(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        self.match_expressions.iter().map(LabelSelectorRequirement::parts)
    }
}

impl LabelSelectorRequirement {
    fn parts(&self) -> (&str, &str, &[String]) {
        (&self.key, &self.operator, &self.values)
    }
}
