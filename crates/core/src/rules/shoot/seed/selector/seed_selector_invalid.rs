// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, ErrorType, FieldPath, Findings, rule};
use garden_gate_model::api::{SeedSelector, SelectorProblem, Shoot};

rule! {
    page: include_str!("seed_selector_invalid.md"),
    id: "shoot/seed-selector-invalid",
    summary: "rejects a seed selector that is not a valid label selector",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        INVALID = "shoot/seed-selector-invalid": "the seed selector is not a valid label selector",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let selector = shoot.new.and_then(|new| new.spec.seed_selector.as_ref());
    let Some(selector) = selector else { return };
    for problem in selector.problems() {
        report(selector, problem, findings);
    }
}

fn report(selector: &SeedSelector, problem: SelectorProblem, findings: &mut Findings) {
    let path = FieldPath::new("spec.seedSelector");
    let labels = path.child("matchLabels");
    let requirement = |index| path.child("matchExpressions").index(index);
    let of = |index: usize| &selector.match_expressions[index];
    let (error, path, message) = match problem {
        SelectorProblem::LabelKey(key, why) => {
            let message = format!("`{key}` is not a label key: {why}");
            (ErrorType::Invalid, labels, message)
        }
        SelectorProblem::LabelValue(key, why) => {
            let value = &selector.match_labels[&key];
            let message = format!("`{value}` is not a value for label `{key}`: {why}");
            (ErrorType::Invalid, labels, message)
        }
        SelectorProblem::Key(index, why) => {
            let message = format!("`{}` is not a label key: {why}", of(index).key);
            (ErrorType::Invalid, requirement(index).child("key"), message)
        }
        SelectorProblem::Operator(index) => {
            let operator = &of(index).operator;
            let message = format!(
                "`{operator}` is not an operator; use `In`, `NotIn`, `Exists` or `DoesNotExist`"
            );
            let path = requirement(index).child("operator");
            (ErrorType::Invalid, path, message)
        }
        SelectorProblem::ValuesMissing(index) => {
            let message = format!("operator `{}` needs values", of(index).operator);
            let path = requirement(index).child("values");
            (ErrorType::Required, path, message)
        }
        SelectorProblem::ValuesSuperfluous(index) => {
            let message = format!("operator `{}` takes no values", of(index).operator);
            let path = requirement(index).child("values");
            (ErrorType::Forbidden, path, message)
        }
        SelectorProblem::Value(index, place, why) => {
            let value = &of(index).values[place];
            let message = format!("`{value}` is not a label value: {why}");
            let path = requirement(index).child("values").index(place);
            (ErrorType::Invalid, path, message)
        }
    };
    findings.report(&INVALID, error, path, message).help("correct the selector, or remove it");
}
