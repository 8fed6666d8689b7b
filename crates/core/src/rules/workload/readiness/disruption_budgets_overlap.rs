// SPDX-License-Identifier: Apache-2.0
use super::input::Input;
use crate::admission::rule;
use crate::rules::shared::lists::first;
use crate::workload::CheckReport;

rule! {
    page: include_str!("disruption_budgets_overlap.md"),
    id: "workload/disruption-budgets-overlap",
    summary: "warns about pods that several PodDisruptionBudgets select, so that they cannot be evicted",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Delete]],
    findings: { OVERLAP = "workload/disruption-budgets-overlap": "several PodDisruptionBudgets select a pod" },
    check: External,
}

/// Maximum number of budgets in a message.
const NAMED: usize = 3;

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    let budgets = &input.workload.budgets;
    if budgets.len() < 2 {
        return;
    }
    if !input.budgets.is_complete {
        report.unknown_fact(
            "which PodDisruptionBudgets select which pods: they have too many labels to compare",
        );
    }
    if input.sets.is_empty() {
        report.unknown_fact(
            "whether PodDisruptionBudgets overlap: the input has neither pods nor their controllers",
        );
    }
    let names: Vec<&str> = budgets.keys().map(|it| it.name.as_str()).collect();
    for (index, set) in input.sets.iter().enumerate().filter(|(_, set)| set.is_drained()) {
        let Some(found) = input.budgets.overlaps.get(&index) else {
            if input.budgets.is_complete {
                report.pass();
            }
            continue;
        };
        let mut found: Vec<&str> = found.iter().filter_map(|it| names.get(*it).copied()).collect();
        found.sort_unstable();
        let message = format!(
            "is selected by several PodDisruptionBudgets ({}), so that API servers refuse each eviction with status 500; {}",
            first(found, NAMED),
            input.blocked_drain()
        );
        let fix = "change the selectors, so that one PodDisruptionBudget selects each pod";
        report.error(&OVERLAP, &set.object, message, fix);
    }
}
