// SPDX-License-Identifier: Apache-2.0
use super::input::Input;
use crate::admission::rule;
use crate::workload::{Budget, BudgetStatus, CheckReport};
use garden_gate_model::api::IntOrPercent;
use garden_gate_text::go::Selector;

rule! {
    page: include_str!("disruption_budget_blocks.md"),
    id: "workload/disruption-budget-blocks",
    summary: "warns about a PodDisruptionBudget that blocks the drain of nodes",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Delete]],
    findings: {
        ALWAYS = "workload/disruption-budget-blocks": "a PodDisruptionBudget never allows an eviction",
        NOW = "workload/disruption-budget-exhausted": "a PodDisruptionBudget allows no eviction at the moment",
    },
    check: External,
}

/// The evictions that the spec of a budget allows.
enum Allowed {
    /// None, whatever the state of the pods is: the reason and the remedy.
    None(String, String),
    Some,
    Unknown(String),
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    let budgets = input.workload.budgets.iter();
    for ((name, budget), selected) in budgets.zip(&input.budgets.selected) {
        let Some(selector) = &budget.spec.selector else {
            // It selects no pods.
            report.pass();
            continue;
        };
        if let Err(why) = Selector::compile(&selector.match_labels, selector.expressions()) {
            report.unknown(name, format!("its selector is invalid: {why}"));
            continue;
        }
        let (status, expected) = budget.current().unzip();
        let selected_pods =
            (input.budgets.is_complete && !selected.is_more).then_some(selected.pods);
        let is_known = selected.is_any || expected == Some(0) && !is_failed(status);
        if is_known && selected_pods == Some(0) {
            // Drains evict none of the selected pods.
            report.pass();
            continue;
        }
        let counted = selected_pods.filter(|_| selected.is_any);
        let known = expected.filter(|it| *it > 0).or(counted);
        match (allowed(budget, known), status) {
            (Allowed::None(why, fix), _) => {
                report.error(&ALWAYS, name, format!("{why}; {}", input.blocked_drain()), fix);
            }
            (Allowed::Unknown(why), _) => report.unknown(name, why),
            (Allowed::Some, Some(status))
                if expected == Some(0) && selected.pods == 0 && !status.is_failed() =>
            {
                report.unknown(name, UNMATCHED);
            }
            (Allowed::Some, Some(status)) if status.is_failed() || expected == Some(0) => {
                let why = format!(
                    "allows no eviction now, since the disruption controller cannot count its pods; {}",
                    input.blocked_drain()
                );
                let fix = "let it select only pods of Deployments and other controllers with a scale subresource, or set `minAvailable` to a number";
                report.error(&NOW, name, why, fix);
            }
            (Allowed::Some, Some(status))
                if status.disruptions_allowed <= 0
                    && (status.current_healthy > 0 || !budget.allows_unhealthy()) =>
            {
                let (healthy, desired) = (status.current_healthy, status.desired_healthy);
                let why = format!(
                    "allows no eviction now, since {healthy} of its pods are healthy and {desired} must be; {}",
                    input.blocked_drain()
                );
                let policy = if budget.allows_unhealthy() { "" } else { ALWAYS_ALLOW };
                report.error(
                    &NOW,
                    name,
                    why,
                    format!("make its pods ready before the change{policy}"),
                );
            }
            (Allowed::Some, Some(_)) => report.pass(),
            (Allowed::Some, None) if selected.is_unscaled && !counts_pods(budget) => {
                report.unknown(name, UNSCALED);
            }
            (Allowed::Some, None) if known.is_some() => report.pass(),
            (Allowed::Some, None) => report.unknown(name, UNMATCHED),
        }
    }
}

const UNSCALED: &str = "whether the disruption controller can count its pods, some of which have no controller with a scale subresource; set `minAvailable` to a number, or add its status";

const ALWAYS_ALLOW: &str =
    "; with `unhealthyPodEvictionPolicy: AlwaysAllow`, unhealthy ones are evicted";

const UNMATCHED: &str = "how many pods it selects: it has no current status, and the input does not have all of its pods";

/// Reports whether the disruption controller counts the pods themselves instead of the replicas of their controllers.
fn counts_pods(budget: &Budget) -> bool {
    matches!(budget.spec.min_available, Some(IntOrPercent::Int(_)))
}

fn is_failed(status: Option<&BudgetStatus>) -> bool {
    status.is_some_and(BudgetStatus::is_failed)
}

/// Evaluates the spec of a budget for a number of pods, if it is known.
///
/// Mirrors getExpectedPodCount in `pkg/controller/disruption/disruption.go`: percentages are rounded up.
fn allowed(budget: &Budget, pods: Option<u64>) -> Allowed {
    let spec = &budget.spec;
    match (&spec.max_unavailable, &spec.min_available) {
        (Some(_), Some(_)) => Allowed::Unknown(
            "it has both `minAvailable` and `maxUnavailable`, which is invalid".to_owned(),
        ),
        (None, None) => {
            Allowed::Unknown("it has neither `minAvailable` nor `maxUnavailable`".to_owned())
        }
        (Some(amount), None) => match number(amount) {
            None => invalid("maxUnavailable", amount),
            Some((0, _)) => Allowed::None(
                format!("`maxUnavailable: {amount}` allows no eviction at any time"),
                "set `maxUnavailable: 1`".to_owned(),
            ),
            Some(_) => Allowed::Some,
        },
        (None, Some(amount)) => {
            let Some((number, is_percentage)) = number(amount) else {
                return invalid("minAvailable", amount);
            };
            let fix = || "set `maxUnavailable: 1` instead of `minAvailable`".to_owned();
            if is_percentage && number == 100 {
                let why = format!("`minAvailable: {amount}` allows no eviction at any time");
                return Allowed::None(why, fix());
            }
            if number == 0 {
                return Allowed::Some;
            }
            let Some(pods) = pods else {
                return Allowed::Unknown(UNMATCHED.to_owned());
            };
            let needed = if is_percentage {
                u128::from(number).saturating_mul(pods.into()).div_ceil(100)
            } else {
                number.into()
            };
            if needed < pods.into() {
                return Allowed::Some;
            }
            let why = format!(
                "`minAvailable: {amount}` allows no eviction at any time, since it selects {}",
                if pods == 1 { "1 pod".to_owned() } else { format!("{pods} pods") }
            );
            Allowed::None(why, format!("{}, or run more replicas", fix()))
        }
    }
}

/// Returns the number, and whether it is a percentage; `None` for values that API servers refuse.
fn number(amount: &IntOrPercent) -> Option<(u64, bool)> {
    match amount {
        IntOrPercent::Int(number) => Some((u64::try_from(*number).ok()?, false)),
        text @ IntOrPercent::Text(_) => {
            let percentage = u64::try_from(text.percent()?).ok()?;
            (percentage <= 100).then_some((percentage, true))
        }
    }
}

fn invalid(field: &str, amount: &IntOrPercent) -> Allowed {
    Allowed::Unknown(format!(
        "its `{field}: {amount}` is neither a number of pods nor a percentage up to 100%"
    ))
}
