// SPDX-License-Identifier: Apache-2.0
//! Costs of a plan.

use schemars::JsonSchema;
use serde::Serialize;

use super::rows::first;
use garden_gate_core::plan::{Amounts, ChangePlan, Cost, Prices};

/// Maximum number of machine types that are named; the others are counted.
const NAMED: usize = 5;

/// Formats the costs as sentences; empty if nothing costs anything.
pub(super) fn sentences(cost: &Cost, prices: &Prices) -> Vec<String> {
    let currency = prices.currency.as_str();
    let mut sentences = Vec::new();
    if cost.extra_worst > 0.0 {
        let Amounts { least, most } = cost.extra;
        sentences.push(format!(
            "Extra machines cost {}, at worst {}",
            range(least, most, currency),
            money(cost.extra_worst, currency)
        ));
    }
    sentences.extend(monthly(cost.monthly, currency));
    if !cost.unpriced.is_empty() {
        let names = first(cost.unpriced.iter().map(|it| format!("`{it}`")), NAMED);
        sentences
            .push(format!("Costs are without machine types that `plan.prices` lacks: {names}"));
    }
    sentences
}

/// Formats the costs of a change as sentences; empty without a price list.
pub(super) fn cost_sentences(change: &ChangePlan) -> Vec<String> {
    let cost = change.cost().zip(change.settings.prices.as_ref());
    cost.map(|(cost, prices)| sentences(&cost, prices)).unwrap_or_default()
}

/// Formats the change of the costs of a month; `None` if they stay.
fn monthly(Amounts { least, most }: Amounts, currency: &str) -> Option<String> {
    let is_zero = |it: f64| cents(it) == cents(0.0);
    match (is_zero(least), is_zero(most)) {
        (true, true) => return None,
        _ if least >= 0.0 => {
            return Some(format!("Then, a month costs {} more", range(least, most, currency)));
        }
        _ if most <= 0.0 => {
            return Some(format!("Then, a month costs {} less", range(-most, -least, currency)));
        }
        _ => {}
    }
    let [less, more] = [-least, most].map(|it| money(it, currency));
    Some(format!("Then, a month costs between {less} less and {more} more"))
}

fn range(least: f64, most: f64, currency: &str) -> String {
    if cents(least) == cents(most) {
        return money(most, currency);
    }
    format!("{} to {}", cents(least), money(most, currency))
}

fn money(amount: f64, currency: &str) -> String {
    format!("{} {currency}", cents(amount))
}

fn cents(amount: f64) -> String {
    // Not minus zero.
    let rounded = (amount * 100.0).round() / 100.0 + 0.0;
    format!("{rounded:.2}")
}

/// Costs by the price list of the configuration, without machine types that it lacks.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PlanCost")]
pub(super) struct Costs<'a> {
    /// The currency, such as `EUR`.
    currency: &'a str,
    /// The costs of additional machines during updates, from the lowest at best to the highest typically.
    extra: Money,
    /// The same at worst.
    extra_worst: f64,
    /// The change of the costs of a month; negative if machines get cheaper.
    monthly: Money,
    /// Machine types without a price.
    unpriced_machine_types: Vec<String>,
}

/// The lowest and the highest possible amount of money.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Money")]
struct Money {
    /// The lowest amount.
    least: f64,
    /// The highest amount.
    most: f64,
}

impl<'a> Costs<'a> {
    pub(super) fn of(cost: &Cost, prices: &'a Prices) -> Self {
        // Fractions of a cent are an artefact of floating-point numbers.
        let rounded = |it: f64| (it * 10_000.0).round() / 10_000.0 + 0.0;
        let money = |it: Amounts| Money { least: rounded(it.least), most: rounded(it.most) };
        Self {
            currency: &prices.currency,
            extra: money(cost.extra),
            extra_worst: rounded(cost.extra_worst),
            monthly: money(cost.monthly),
            unpriced_machine_types: cost.unpriced.iter().cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0.0, 0.0, None)]
    #[case(-0.001, 0.001, None)]
    #[case(1.0, 1.0, Some("Then, a month costs 1.00 EUR more"))]
    #[case(1.0, 2.5, Some("Then, a month costs 1.00 to 2.50 EUR more"))]
    #[case(-2.5, 0.0, Some("Then, a month costs 0.00 to 2.50 EUR less"))]
    #[case(-2.5, 1.0, Some("Then, a month costs between 2.50 EUR less and 1.00 EUR more"))]
    fn change_of_a_month(#[case] least: f64, #[case] most: f64, #[case] expected: Option<&str>) {
        assert_eq!(monthly(Amounts { least, most }, "EUR").as_deref(), expected);
    }
}
