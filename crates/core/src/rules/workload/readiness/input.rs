// SPDX-License-Identifier: Apache-2.0
//! The input of checks.

use crate::plan::minutes;
use crate::workload::{BudgetMatches, ClusterChange, PodSet, Workload};

/// A workload, with its pods by controller and the change of its cluster.
pub(super) struct Input<'a> {
    pub(super) workload: &'a Workload,
    pub(super) sets: Vec<PodSet<'a>>,
    pub(super) budgets: BudgetMatches,
    /// The change, or the reason why it is unknown.
    pub(super) change: Result<&'a ClusterChange, &'a str>,
}

impl<'a> Input<'a> {
    pub(super) fn new(workload: &'a Workload, change: Result<&'a ClusterChange, &'a str>) -> Self {
        let sets = PodSet::all(workload);
        let budgets = BudgetMatches::of(workload, &sets);
        Self { workload, sets, budgets, change }
    }

    /// Returns the pods that drains evict, by controller.
    pub(super) fn drained(&self) -> impl Iterator<Item = &PodSet<'a>> {
        self.sets.iter().filter(|it| it.is_drained())
    }

    /// Returns a phrase about a drain that cannot evict a pod.
    pub(super) fn blocked_drain(&self) -> String {
        let timeout = self.change.ok().and_then(ClusterChange::drain_timeout);
        let timeout = timeout.map_or_else(String::new, |it| format!(" of {}", minutes(it)));
        format!("drains wait for `machineDrainTimeout`{timeout}, then delete the pods")
    }
}
