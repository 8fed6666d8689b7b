// SPDX-License-Identifier: Apache-2.0
//! Requirements of pods and volumes on the labels of nodes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// The part of a pod's node affinity that must be met.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NodeAffinity {
    required_during_scheduling_ignored_during_execution: Option<NodeSelector>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct NodeSelector {
    node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Requirements that a node meets together.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NodeSelectorTerm {
    pub(crate) match_expressions: Vec<NodeExpression>,
    match_fields: Vec<NodeExpression>,
}

/// A requirement on one label.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExpression {
    pub(crate) key: String,
    pub(crate) operator: String,
    pub(crate) values: Vec<String>,
}

/// The truth of a statement.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Truth {
    No,
    Unknown,
    Yes,
}

/// The known value of a node's label.
pub(crate) enum LabelValue<'a> {
    /// The label has one of these spellings of a value.
    Is(&'a [String]),
    Absent,
    Unknown,
}

/// The requirements of a pod on its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRequirements<'a> {
    /// The required values of labels.
    labels: &'a BTreeMap<String, String>,
    /// The required part of the affinity.
    selector: Option<&'a NodeSelector>,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Truth::Yes } else { Truth::No }
    }
}

impl<'a> NodeRequirements<'a> {
    /// Returns the requirements of a pod with this node selector and affinity; `None` if it has none.
    pub(crate) fn of(
        labels: &'a BTreeMap<String, String>,
        affinity: &'a NodeAffinity,
    ) -> Option<Self> {
        let selector = affinity.required_during_scheduling_ignored_during_execution.as_ref();
        (selector.is_some() || !labels.is_empty()).then_some(Self { labels, selector })
    }

    /// Reports whether a node meets the requirements.
    ///
    /// Terms of the affinity are alternatives; a term without expressions matches no node.
    pub(crate) fn met_by<'n>(self, value: impl Fn(&str) -> LabelValue<'n>) -> Truth {
        let labels = self
            .labels
            .iter()
            .map(|(key, wanted)| of_value(value(key), |values| values.contains(wanted), Truth::No));
        let labels = labels.min().unwrap_or(Truth::Yes);
        let Some(selector) = self.selector.filter(|_| labels > Truth::No) else {
            return labels;
        };
        let terms = selector.node_selector_terms.iter().map(|term| term.met_by(&value));
        labels.min(terms.max().unwrap_or(Truth::No))
    }

    /// Returns the keys of the required labels.
    pub(crate) fn keys(self) -> BTreeSet<&'a str> {
        let mut keys: BTreeSet<&str> = self.labels.keys().map(String::as_str).collect();
        let terms = self.selector.into_iter().flat_map(|it| &it.node_selector_terms);
        keys.extend(terms.flat_map(|it| &it.match_expressions).map(|it| it.key.as_str()));
        keys
    }

    /// Returns the number of labels and expressions that [`Self::met_by`] looks at.
    pub(crate) fn count(self) -> usize {
        let terms = self.selector.into_iter().flat_map(|it| &it.node_selector_terms);
        let expressions = terms.map(|it| it.match_expressions.len() + it.match_fields.len());
        expressions.sum::<usize>() + self.labels.len()
    }
}

impl NodeSelectorTerm {
    fn met_by<'n>(&self, value: &impl Fn(&str) -> LabelValue<'n>) -> Truth {
        if self.match_expressions.is_empty() && self.match_fields.is_empty() {
            return Truth::No;
        }
        let labels = self.match_expressions.iter().map(|it| it.met_by(value(&it.key)));
        // The only field is the name of a node.
        let fields = self.match_fields.iter().map(|_| Truth::Unknown);
        labels.chain(fields).min().unwrap_or(Truth::Yes)
    }
}

impl NodeExpression {
    fn met_by(&self, value: LabelValue<'_>) -> Truth {
        let is_listed = |values: &[String]| values.iter().any(|it| self.values.contains(it));
        match self.operator.as_str() {
            "In" => of_value(value, is_listed, Truth::No),
            "NotIn" => of_value(value, |values| !is_listed(values), Truth::Yes),
            "Exists" => of_value(value, |_| true, Truth::No),
            "DoesNotExist" => of_value(value, |_| false, Truth::Yes),
            "Gt" => {
                of_value(value, |values| self.compares(values, |it, than| it > than), Truth::No)
            }
            "Lt" => {
                of_value(value, |values| self.compares(values, |it, than| it < than), Truth::No)
            }
            _ => Truth::Unknown,
        }
    }

    fn compares(&self, values: &[String], test: fn(i64, i64) -> bool) -> bool {
        let than = self.values.first().and_then(|it| it.parse().ok());
        let mut numbers = values.iter().filter_map(|it| it.parse().ok());
        than.is_some_and(|than| numbers.any(|it| test(it, than)))
    }
}

fn of_value(value: LabelValue<'_>, test: impl Fn(&[String]) -> bool, if_absent: Truth) -> Truth {
    match value {
        LabelValue::Is(values) => test(values).into(),
        LabelValue::Absent => if_absent,
        LabelValue::Unknown => Truth::Unknown,
    }
}
