// SPDX-License-Identifier: Apache-2.0
//! PodDisruptionBudgets and the pods that they select.

use std::collections::{BTreeMap, HashMap};

use garden_gate_model::api::LabelSelector;
use garden_gate_text::go::Selector;

use super::{Budget, PodSet, Workload};

/// Maximum number of labels and values that are compared; a cluster with 20,000 pods and 2,000 budgets needs a tenth.
const COMPARISONS: usize = 10_000_000;

/// The pods that a PodDisruptionBudget selects.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selected {
    /// The number of pods that drains evict.
    pub(crate) pods: u64,
    /// Reports whether a controller has an unknown number of pods.
    pub(crate) is_more: bool,
    /// Reports whether a pod has no controller that is known to have a scale subresource.
    pub(crate) is_unscaled: bool,
    /// Reports whether any pod or template is selected, also of DaemonSets.
    pub(crate) is_any: bool,
}

/// The pods that each PodDisruptionBudget selects, and pods that several select.
#[derive(Debug, Default)]
pub(crate) struct BudgetMatches {
    /// The pods of each budget, in the order of the workload.
    pub(crate) selected: Vec<Selected>,
    /// The indices of several budgets that select the same pod, by the index of its set.
    pub(crate) overlaps: BTreeMap<usize, Vec<usize>>,
    /// Reports whether all selectors were compared with all pods.
    pub(crate) is_complete: bool,
}

/// The budgets of a namespace.
#[derive(Default)]
struct Namespace<'a> {
    /// Budgets by one of the labels that they require.
    by_label: HashMap<(&'a str, &'a str), Vec<usize>>,
    /// Budgets that require no value of a label.
    others: Vec<usize>,
}

/// A valid selector with the number of its labels and values.
struct Compiled<'a>(Selector<'a>, usize);

impl BudgetMatches {
    /// Compares the selectors of all budgets with the labels of all pods, up to a limit.
    pub(crate) fn of(workload: &Workload, sets: &[PodSet<'_>]) -> Self {
        let budgets: Vec<&Budget> = workload.budgets.values().collect();
        let selectors: Vec<Option<Compiled<'_>>> =
            budgets.iter().map(|it| it.spec.selector.as_ref().and_then(compiled)).collect();
        let mut namespaces: HashMap<&str, Namespace<'_>> = HashMap::new();
        for (index, budget) in budgets.iter().enumerate() {
            let namespace = namespaces.entry(&budget.metadata.namespace).or_default();
            let labels = budget.spec.selector.as_ref().map(|it| &it.match_labels);
            match labels.and_then(|it| it.first_key_value()) {
                Some((key, value)) => {
                    namespace.by_label.entry((key, value)).or_default().push(index);
                }
                None => namespace.others.push(index),
            }
        }
        let mut matches = Self {
            selected: vec![Selected::default(); budgets.len()],
            overlaps: BTreeMap::new(),
            is_complete: true,
        };
        let mut left = COMPARISONS;
        for (index, set) in sets.iter().enumerate() {
            let Some(namespace) = namespaces.get(&*set.object.namespace) else { continue };
            let pods = set.pods.iter().map(|pod| (&pod.metadata.labels, Some(1)));
            let replicas = set.replicas.filter(|_| !set.is_scaled);
            let template = set.pods.is_empty().then_some((&set.metadata.labels, replicas));
            for (labels, count) in pods.chain(template) {
                let by_label = labels
                    .iter()
                    .filter_map(|(key, value)| namespace.by_label.get(&(&**key, &**value)));
                let candidates = by_label.chain([&namespace.others]).flatten();
                let mut found = Vec::new();
                for candidate in candidates {
                    let Some(Some(Compiled(selector, cost))) = selectors.get(*candidate) else {
                        continue;
                    };
                    let Some(rest) = left.checked_sub(*cost) else {
                        matches.is_complete = false;
                        return matches;
                    };
                    left = rest;
                    if selector.matches(labels) {
                        found.push(*candidate);
                    }
                }
                matches.add(index, set, count, found);
            }
        }
        matches
    }

    fn add(&mut self, index: usize, set: &PodSet<'_>, count: Option<u64>, found: Vec<usize>) {
        for budget in &found {
            if let Some(selected) = self.selected.get_mut(*budget) {
                selected.is_any = true;
                if !set.is_of_daemon_set() {
                    selected.pods = selected.pods.saturating_add(count.unwrap_or_default());
                    selected.is_more |= count.is_none();
                    selected.is_unscaled |= !set.is_replicated();
                }
            }
        }
        if found.len() > 1 && set.is_drained() {
            self.overlaps.entry(index).or_insert(found);
        }
    }
}

/// Compiles a selector; `None` if it is invalid, which the check of the budget reports.
fn compiled(selector: &LabelSelector) -> Option<Compiled<'_>> {
    let values = selector.expressions().map(|(_, _, values)| values.len() + 1);
    let cost = values.fold(selector.match_labels.len() + 1, usize::saturating_add);
    let selector = Selector::compile(&selector.match_labels, selector.expressions());
    selector.ok().map(|selector| Compiled(selector, cost))
}
