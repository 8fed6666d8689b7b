//! Selection by labels.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::api::{null_is_default, object};

object! {
    /// Selects objects by their labels; all conditions have to hold.
    #[derive(Eq, PartialEq, Serialize)]
    LabelSelector {
        /// Labels that objects have to have, with these values.
        "matchLabels": {String} -> #[mutated] match_labels: BTreeMap<String, String>;
        /// Conditions on labels.
        "matchExpressions": [LabelSelectorRequirement] -> #[mutated] match_expressions: Vec<LabelSelectorRequirement>;
    }
}

object! {
    /// A condition on one label.
    #[derive(Eq, PartialEq, Serialize)]
    LabelSelectorRequirement {
        /// The label.
        "key": String required -> #[serde(deserialize_with = "null_is_default")] key: String;
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        "operator": String required -> #[serde(deserialize_with = "null_is_default")] operator: String;
        /// Values that count for `In` and `NotIn`.
        "values": [String] -> #[mutated] values: Vec<String>;
    }
}

object! {
    /// Selects Seeds by their labels and infrastructure; all conditions have to hold.
    #[derive(Eq, PartialEq, Serialize)]
    SeedSelector {
        /// Labels that Seeds have to have, with these values.
        "matchLabels": {String} -> #[mutated] match_labels: BTreeMap<String, String>;
        /// Conditions on labels of Seeds.
        "matchExpressions": [LabelSelectorRequirement] -> #[mutated] match_expressions: Vec<LabelSelectorRequirement>;
        /// Infrastructures that Seeds may be on; `*` for any.
        "providerTypes": [String] -> #[mutated] provider_types: Vec<String>;
    }
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
