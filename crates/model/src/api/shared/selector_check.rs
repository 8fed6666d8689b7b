// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::api::SeedSelector;
use garden_gate_text::go::{label_value_error, qualified_name_error};

/// A syntax error in a label selector.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SelectorProblem {
    /// A key of `matchLabels` is not a valid label key; with the key and the error.
    LabelKey(String, &'static str),
    /// A value of `matchLabels` is not a valid label value; with its key and the error.
    LabelValue(String, &'static str),
    /// The key of a requirement is not a valid label key; with its index and the error.
    Key(usize, &'static str),
    /// The operator of a requirement is unknown; with its index.
    Operator(usize),
    /// The requirement needs values and has none; with its index.
    ValuesMissing(usize),
    /// The requirement takes no values and has some; with its index.
    ValuesSuperfluous(usize),
    /// A value of a requirement is not a valid label value; with both indices and the error.
    Value(usize, usize, &'static str),
}

impl SeedSelector {
    /// Returns the syntax errors of the label selector; provider types may be anything.
    ///
    /// Mirrors ValidateLabelSelector in `k8s.io/apimachinery/pkg/apis/meta/v1/validation`.
    pub fn problems(&self) -> Vec<SelectorProblem> {
        let mut problems = Vec::new();
        for (key, value) in &self.match_labels {
            let wrong = qualified_name_error(key);
            problems.extend(wrong.map(|why| SelectorProblem::LabelKey(key.clone(), why)));
            let wrong = label_value_error(value);
            problems.extend(wrong.map(|why| SelectorProblem::LabelValue(key.clone(), why)));
        }
        for (index, requirement) in self.match_expressions.iter().enumerate() {
            match (requirement.operator.as_str(), requirement.values.is_empty()) {
                ("In" | "NotIn", true) => problems.push(SelectorProblem::ValuesMissing(index)),
                ("Exists" | "DoesNotExist", false) => {
                    problems.push(SelectorProblem::ValuesSuperfluous(index));
                }
                ("In" | "NotIn" | "Exists" | "DoesNotExist", _) => {}
                _ => problems.push(SelectorProblem::Operator(index)),
            }
            let wrong = qualified_name_error(&requirement.key);
            problems.extend(wrong.map(|why| SelectorProblem::Key(index, why)));
            for (place, value) in requirement.values.iter().enumerate() {
                let wrong = label_value_error(value);
                problems.extend(wrong.map(|why| SelectorProblem::Value(index, place, why)));
            }
        }
        problems
    }

    /// Reports whether the label selector selects an object with these labels; `None` if it is invalid.
    ///
    /// An empty selector selects everything. Provider types are ignored.
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> Option<bool> {
        self.is_readable().then(|| self.matches(labels))
    }

    /// Reports whether the selector has no [problems](Self::problems).
    pub fn is_readable(&self) -> bool {
        self.problems().is_empty()
    }

    /// Reports whether a [valid](Self::is_readable) selector selects an object with these labels.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        let equal = self.match_labels.iter().all(|(key, value)| labels.get(key) == Some(value));
        let mut requirements = self.match_expressions.iter();
        let met = requirements.all(|requirement| {
            let value = labels.get(&requirement.key);
            let is_listed = value.is_some_and(|value| requirement.values.contains(value));
            match requirement.operator.as_str() {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => value.is_some(),
                _ => value.is_none(),
            }
        });
        equal && met
    }
}
