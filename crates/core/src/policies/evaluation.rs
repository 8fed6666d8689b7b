// SPDX-License-Identifier: Apache-2.0
//! The evaluation of a policy with one parameter.
//!
//! Mirrors `pkg/admission/plugin/policy/validating/validator.go` and `pkg/admission/plugin/webhook/matchconditions` of
//! `k8s.io/apiserver`.

use super::allowance::Account;
use super::compiled::{CompiledPolicy, CompiledValidation, Reason};
use super::matching::Matching;
use garden_gate_cel::{Activation, EvaluationError, ExceededLimit, Expression, Lookups, Value};

/// The budget of all conditions of a policy, a quarter of that of its validations.
const CONDITIONS_BUDGET: u64 = Activation::BUDGET / 4;
/// The effort of preparing an evaluation, as a cost.
const PREPARATION: u64 = 50;
/// Maximum size of an evaluated message in bytes.
const LONGEST_MESSAGE: usize = 5 << 10;

/// The variables of expressions.
pub(super) struct Inputs<'a> {
    pub(super) object: Value,
    pub(super) old_object: Value,
    pub(super) request: Value,
    /// The Namespace, or the reason why it is not known.
    pub(super) namespace: Result<Value, String>,
    pub(super) params: Value,
    /// The time, for policies of operators.
    pub(super) now: Value,
    /// The lookups of `garden`, for policies of operators.
    pub(super) lookups: &'a dyn Lookups,
    /// The limits of all evaluations together.
    pub(super) account: &'a Account,
}

/// The results of a policy with one parameter.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    pub(super) refusals: Vec<Refusal>,
    /// Validations that are not decided, by index, with the reasons; `None` for the policy as a whole.
    pub(super) undetermined: Vec<(Option<usize>, String)>,
    /// Whether the conditions of the policy exclude the request.
    pub(super) is_excluded: bool,
    /// Whether an expression failed, even if that refuses nothing.
    pub(super) has_failed: bool,
    /// Whether a limit of garden-gate was exceeded, even if that refuses nothing.
    pub(super) is_limited: bool,
}

/// A violation, or an error with the failure policy `Fail`.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) message: String,
    pub(super) reason: Reason,
    /// The index of the validation; `None` for the policy as a whole.
    pub(super) validation: Option<usize>,
    /// Whether the request is refused whatever the binding demands.
    pub(super) is_unconditional: bool,
    /// Whether an expression failed.
    pub(super) is_error: bool,
}

impl Inputs<'_> {
    /// Returns a new activation with all variables of a policy.
    fn activation<'p>(&'p self, policy: &'p CompiledPolicy, budget: u64) -> Activation<'p> {
        let activation = self.of_object(policy, &self.object, budget);
        match &self.namespace {
            Ok(namespace) => activation.bind("namespaceObject", namespace.clone()),
            Err(why) => activation.bind_unknown("namespaceObject", why.as_str()),
        }
    }

    /// Returns a new activation with an object, and without its Namespace.
    fn of_object<'p>(
        &'p self,
        policy: &'p CompiledPolicy,
        object: &Value,
        budget: u64,
    ) -> Activation<'p> {
        let activation = Activation::new().with_budget(budget);
        let activation = self.account.limit(activation);
        self.bound(policy, object, activation)
    }

    fn bound<'p>(
        &'p self,
        policy: &'p CompiledPolicy,
        object: &Value,
        activation: Activation<'p>,
    ) -> Activation<'p> {
        activation
            .bind("object", object.clone())
            .bind("oldObject", self.old_object.clone())
            .bind("request", self.request.clone())
            .bind("params", self.params.clone())
            .bind("now", self.now.clone())
            .with_variables(&policy.variables)
            .with_lookups(self.lookups)
    }

    /// Subtracts the effort of an activation from that of the request.
    fn spend(&self, activation: &Activation<'_>) {
        self.account.spend(activation.effort());
        if activation.exceeded() == Some(ExceededLimit::Time) {
            self.account.end();
        }
    }

    /// Reports whether an expression is false for another object; errors are not.
    pub(super) fn refutes(
        &self,
        (policy, expression): (&CompiledPolicy, &Expression),
        object: &Value,
    ) -> bool {
        let activation = self.account.limit_search(Activation::new());
        let activation = self.bound(policy, object, activation);
        let evaluated = expression.evaluate(&activation);
        self.account.search(activation.effort());
        evaluated.is_ok_and(|it| it.as_bool() == Some(false))
    }
}

/// Evaluates a policy.
pub(super) fn evaluate(policy: &CompiledPolicy, inputs: &Inputs<'_>) -> Evaluated {
    let mut evaluated = Evaluated::default();
    inputs.account.spend(PREPARATION);
    if let Some(limit) = inputs.account.exceeded() {
        evaluated.exceed(policy, None, limit);
        return evaluated;
    }
    match conditions(policy, inputs) {
        Conditions::Met => {}
        Conditions::Unmet => {
            evaluated.is_excluded = true;
            return evaluated;
        }
        Conditions::Failed(why) => {
            evaluated.fail(policy, None, why);
            return evaluated;
        }
        Conditions::Undetermined(why) => {
            evaluated.undetermined.push((None, why));
            return evaluated;
        }
        Conditions::Exceeded(limit) => {
            evaluated.exceed(policy, None, limit);
            return evaluated;
        }
    }
    match validations(policy, inputs) {
        Ok(validated) => evaluated = validated,
        Err(why) => {
            evaluated.fail(policy, None, why);
            return evaluated;
        }
    }
    annotations(policy, inputs, &mut evaluated);
    evaluated
}

/// Evaluates only the conditions of a policy.
pub(super) fn meets_conditions(policy: &CompiledPolicy, inputs: &Inputs<'_>) -> Matching {
    inputs.account.spend(PREPARATION);
    if let Some(limit) = inputs.account.exceeded() {
        return Matching::Unknown(limit.to_string());
    }
    match conditions(policy, inputs) {
        Conditions::Met => Matching::Yes,
        Conditions::Unmet => Matching::No,
        Conditions::Failed(why) => Matching::Failed(why),
        Conditions::Undetermined(why) => Matching::Unknown(why),
        Conditions::Exceeded(limit) => Matching::Unknown(limit.to_string()),
    }
}

/// Evaluates a mutation of a policy, whose conditions are met, with the full budget of a policy.
///
/// # Errors
/// Fails with the message of an API server, or as undetermined.
pub(super) fn mutation(
    (policy, expression): (&CompiledPolicy, &Expression),
    inputs: &Inputs<'_>,
) -> Result<Value, EvaluationError> {
    let activation = inputs.activation(policy, Activation::BUDGET);
    let result = expression.evaluate(&activation);
    inputs.spend(&activation);
    result.map_err(|error| match error {
        EvaluationError::Failed(_) | EvaluationError::CostLimit => {
            EvaluationError::Failed(failed(expression, &error))
        }
        other => other,
    })
}

impl Evaluated {
    /// Adds an error, which only counts with the failure policy `Fail`.
    fn fail(&mut self, policy: &CompiledPolicy, validation: Option<usize>, message: String) {
        self.has_failed = true;
        if policy.fails() {
            self.refusals.push(Refusal {
                message,
                reason: Reason::Invalid,
                validation,
                is_unconditional: false,
                is_error: true,
            });
        }
    }

    /// Adds a limit of garden-gate: with the failure policy `Fail`, the result is undetermined.
    fn exceed(&mut self, policy: &CompiledPolicy, validation: Option<usize>, limit: ExceededLimit) {
        self.is_limited = true;
        if policy.fails() {
            self.undetermined.push((validation, limit.to_string()));
        }
    }
}

enum Conditions {
    Met,
    Unmet,
    Failed(String),
    Undetermined(String),
    Exceeded(ExceededLimit),
}

/// Evaluates the conditions of a policy, for which `namespaceObject` is always `null`.
fn conditions(policy: &CompiledPolicy, inputs: &Inputs<'_>) -> Conditions {
    let activation = inputs.of_object(policy, &inputs.object, CONDITIONS_BUDGET);
    let conditions = conditions_with(policy, &activation);
    inputs.spend(&activation);
    conditions
}

fn conditions_with(policy: &CompiledPolicy, activation: &Activation<'_>) -> Conditions {
    let (mut errors, mut unknown) = (Vec::new(), None);
    for condition in &policy.conditions {
        match condition.evaluate(activation) {
            Ok(value) if value.as_bool() == Some(false) => return Conditions::Unmet,
            Ok(_) => {}
            Err(EvaluationError::Undetermined(why)) => {
                unknown.get_or_insert(why);
            }
            Err(error @ EvaluationError::OutOfBudget) => {
                return Conditions::Failed(error.to_string());
            }
            Err(EvaluationError::Exceeded(limit)) => return Conditions::Exceeded(limit),
            Err(error) => {
                let error = failed(condition, &error);
                if !errors.contains(&error) {
                    errors.push(error);
                }
            }
        }
    }
    match (unknown, &errors[..]) {
        (Some(why), _) => Conditions::Undetermined(why),
        (None, []) => Conditions::Met,
        (None, [error]) => Conditions::Failed(error.clone()),
        (None, errors) => Conditions::Failed(format!("[{}]", errors.join(", "))),
    }
}

/// Evaluates the validations of a policy, and the messages of violations.
///
/// # Errors
/// Fails with the message of an exceeded budget, which is an error of the policy as a whole.
fn validations(policy: &CompiledPolicy, inputs: &Inputs<'_>) -> Result<Evaluated, String> {
    let activation = inputs.activation(policy, Activation::BUDGET);
    let mut results = Vec::with_capacity(policy.validations.len());
    for validation in &policy.validations {
        let result = validation.expression.evaluate(&activation);
        let is_last =
            matches!(result, Err(EvaluationError::OutOfBudget | EvaluationError::Exceeded(_)));
        results.push(result);
        if is_last {
            break;
        }
    }
    inputs.spend(&activation);
    if let Some(Err(error @ EvaluationError::OutOfBudget)) = results.last() {
        return Err(error.to_string());
    }
    let rest = Activation::BUDGET.saturating_sub(activation.spent());
    let mut messages = Messages { activation: inputs.activation(policy, rest), error: None };
    // An exceeded budget affects all validations, so that all messages are evaluated first.
    let evaluated = policy.validations.iter().map(|it| messages.evaluate(it));
    let texts: Vec<Option<String>> = evaluated.collect();
    inputs.spend(&messages.activation);
    let mut evaluated = Evaluated::default();
    let results = policy.validations.iter().zip(results).zip(texts);
    for (index, ((validation, result), message)) in results.enumerate() {
        match (result, &messages.error) {
            (Err(EvaluationError::Undetermined(why)), _) => {
                evaluated.undetermined.push((Some(index), why));
            }
            (Err(EvaluationError::Exceeded(limit)), _) => {
                evaluated.exceed(policy, Some(index), limit);
            }
            (Err(error), _) => {
                let message = failed(&validation.expression, &error);
                evaluated.fail(policy, Some(index), message);
            }
            (Ok(_), Some(error)) => {
                let message = format!("failed messageExpression: {error}");
                evaluated.fail(policy, Some(index), message);
            }
            (Ok(value), None) if value.as_bool() == Some(true) => {}
            (Ok(_), None) => evaluated.refusals.push(Refusal {
                message: message.unwrap_or_else(|| default_message(validation)),
                reason: validation.reason,
                validation: Some(index),
                is_unconditional: false,
                is_error: false,
            }),
        }
    }
    Ok(evaluated)
}

/// Evaluates messages within a common budget.
struct Messages<'a> {
    activation: Activation<'a>,
    /// The error of an exceeded budget.
    error: Option<String>,
}

impl Messages<'_> {
    /// Returns the evaluated message of a validation; `None` for the default message.
    fn evaluate(&mut self, validation: &CompiledValidation) -> Option<String> {
        let expression = validation.message_expression.as_ref()?;
        if self.error.is_some() {
            return None;
        }
        match expression.evaluate(&self.activation) {
            Ok(value) => {
                let message = value.as_str()?.trim();
                let is_valid = !message.is_empty()
                    && message.len() <= LONGEST_MESSAGE
                    && !message.contains('\n');
                is_valid.then(|| message.to_owned())
            }
            Err(error @ EvaluationError::OutOfBudget) => {
                self.error = Some(error.to_string());
                None
            }
            Err(_) => None,
        }
    }
}

/// Returns the message of a validation without `messageExpression`, which has no value of an object.
pub(super) fn default_message(validation: &CompiledValidation) -> String {
    match validation.message.as_str() {
        "" => format!("failed expression: {}", validation.expression.text().trim()),
        message => message.to_owned(),
    }
}

/// Evaluates entries of the audit log, whose errors refuse a request with the failure policy `Fail`.
fn annotations(policy: &CompiledPolicy, inputs: &Inputs<'_>, evaluated: &mut Evaluated) {
    if policy.annotations.is_empty() {
        return;
    }
    let activation = inputs.activation(policy, Activation::BUDGET);
    annotations_with(policy, &activation, evaluated);
    inputs.spend(&activation);
}

fn annotations_with(
    policy: &CompiledPolicy,
    activation: &Activation<'_>,
    evaluated: &mut Evaluated,
) {
    for (_, annotation) in &policy.annotations {
        match annotation.evaluate(activation) {
            Ok(_) | Err(EvaluationError::Undetermined(_)) => {}
            Err(error @ EvaluationError::OutOfBudget) => {
                // The results of validations are lost.
                *evaluated = Evaluated::default();
                evaluated.fail(policy, None, error.to_string());
                return;
            }
            Err(EvaluationError::Exceeded(limit)) => {
                evaluated.exceed(policy, None, limit);
                return;
            }
            Err(error) => {
                evaluated.has_failed = true;
                if policy.fails() {
                    evaluated.refusals.push(Refusal {
                        message: failed(annotation, &error),
                        reason: Reason::Invalid,
                        validation: None,
                        is_unconditional: true,
                        is_error: true,
                    });
                }
            }
        }
    }
}

fn failed(expression: &Expression, error: &EvaluationError) -> String {
    format!("expression '{}' resulted in error: {error}", expression.text())
}
