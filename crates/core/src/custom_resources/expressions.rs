// SPDX-License-Identifier: Apache-2.0
//! Rules in CEL. Mirrors `pkg/apiserver/schema/cel/validation.go` of an API server.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::correlation::{Correlation, of_same_keys};
use super::tree::Tree;
use super::violation::{Fault, Validated, Violations, leave_open};
use crate::admission::{ErrorType, FieldPath};
use garden_gate_cel::{
    Activation, CompileError, Environment, EvaluationError, Expression, OldSelf, ResultType, Value,
    escaped_field,
};
use garden_gate_model::api::{JsonType, ListType, Schema, ValidationRule};

/// Maximum length of a message of `messageExpression`, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// Evaluates the rules for a new object, whose unchanged values may be `ratcheted`. Returns the cost.
pub(super) fn evaluate<'d>(
    (new, old): (&Tree, Option<&Tree>),
    schema: &'d Schema,
    is_ratcheted: bool,
    validated: &mut Validated<'d>,
) -> u64 {
    let Validated { rules, undetermined, .. } = validated;
    let mut evaluation = Evaluation {
        budget: Activation::BUDGET,
        compiled: BTreeMap::new(),
        violations: rules,
        undetermined,
    };
    let current = old.filter(|_| is_ratcheted).map(|old| Correlation::of(new, old, schema));
    let ratcheting = Ratcheting { current, nearest: None };
    // An error ends the evaluation, after it is reported.
    let _ = evaluation.value((new, old), schema, &FieldPath::root(), ratcheting);
    Activation::BUDGET.saturating_sub(evaluation.budget)
}

/// The end of the evaluation, since its budget is spent.
struct Ended;

struct Evaluation<'v, 'd> {
    /// The remaining cost of all rules.
    budget: u64,
    /// The compiled rules by their addresses.
    compiled: BTreeMap<usize, Arc<Compiled>>,
    violations: &'v mut Violations<'d>,
    undetermined: &'v mut Vec<(FieldPath, String)>,
}

struct Compiled {
    rule: Result<Expression, CompileError>,
    message: Option<Expression>,
}

/// The stored values with which unchanged values are accepted.
#[derive(Clone, Copy, Debug)]
struct Ratcheting<'t> {
    current: Option<Correlation<'t>>,
    /// The nearest value around that has a stored one.
    nearest: Option<Correlation<'t>>,
}

impl Ratcheting<'_> {
    /// Reports whether a violation is accepted, since the value is unchanged.
    fn accepts(self) -> bool {
        self.current.or(self.nearest).is_some_and(Correlation::is_equal)
    }

    fn field(self, name: &str) -> Self {
        match self.current {
            None => self,
            Some(_) if self.nearest.is_none() && ["apiVersion", "kind"].contains(&name) => {
                Self { current: None, nearest: None }
            }
            Some(current) => Self { current: current.field(name), nearest: Some(current) },
        }
    }

    fn item(self, index: usize) -> Self {
        match self.current {
            None => self,
            Some(current) => Self { current: current.item(index), nearest: Some(current) },
        }
    }
}

impl<'d> Evaluation<'_, 'd> {
    fn value(
        &mut self,
        (new, old): (&Tree, Option<&Tree>),
        schema: &'d Schema,
        path: &FieldPath,
        ratcheting: Ratcheting<'_>,
    ) -> Result<(), Ended> {
        if new.is_null() || !schema.has_rules() {
            return Ok(());
        }
        self.rules((new, old.filter(|it| !it.is_null())), schema, path, ratcheting)?;
        for inner in &schema.all_of {
            let ratcheting = Ratcheting { current: None, nearest: ratcheting.nearest };
            self.value((new, old), inner, path, ratcheting)?;
        }
        match new {
            Tree::List(items) => {
                let Some(inner) = schema.items.as_deref() else {
                    return Ok(());
                };
                let stored = old.and_then(Tree::as_list).unwrap_or_default();
                for (index, item) in items.iter().enumerate() {
                    let old = of_same_keys(schema, item, stored);
                    let path = path.index(index);
                    self.value((item, old), inner, &path, ratcheting.item(index))?;
                }
            }
            Tree::Map(fields) => {
                for (name, field) in fields {
                    let old = old.and_then(Tree::as_map).and_then(|it| it.get(name));
                    let ratcheting = ratcheting.field(name);
                    if let Some(inner) = schema.values_of_map() {
                        self.value((field, old), inner, &path.key(name), ratcheting)?;
                    }
                    if let Some(inner) = schema.properties.get(name) {
                        self.value((field, old), inner, &path.child_called(name), ratcheting)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Evaluates the rules of one value.
    fn rules(
        &mut self,
        (new, old): (&Tree, Option<&Tree>),
        schema: &'d Schema,
        path: &FieldPath,
        ratcheting: Ratcheting<'_>,
    ) -> Result<(), Ended> {
        if schema.rules.is_empty() {
            return Ok(());
        }
        if let Some(why) = unsupported(schema) {
            leave_open(self.undetermined, path, why);
            return Ok(());
        }
        let [this, stored] = [Some(new), old].map(|it| it.map(|it| cel_value(it, schema)));
        for rule in &schema.rules {
            let compiled = self.compiled(rule);
            let expression = match &compiled.rule {
                Ok(expression) => expression,
                Err(error) => {
                    let why = format!("the rule `{}` is not evaluated here: {error}", rule.rule);
                    leave_open(self.undetermined, path, why);
                    continue;
                }
            };
            let is_transition = expression.names("oldSelf");
            if is_transition && stored.is_none() && !rule.optional_old_self {
                continue;
            }
            let old_self = if rule.optional_old_self {
                stored.clone().map_or(Value::Optional(None), Value::some)
            } else {
                stored.clone().unwrap_or(Value::Null)
            };
            let activation = Activation::new()
                .with_budget(self.budget)
                .bind("self", this.clone().unwrap_or(Value::Null))
                .bind("oldSelf", old_self);
            let result = expression.evaluate(&activation);
            self.budget = self.budget.saturating_sub(activation.spent());
            let is_valid = match result {
                Ok(value) => value.is_true(),
                Err(error) => {
                    self.failed(&error, rule, new, path)?;
                    continue;
                }
            };
            if !is_valid && (is_transition || !ratcheting.accepts()) {
                let message = message(&compiled, rule, &activation);
                let path = reported_path(path, &rule.field_path);
                let fault = Fault::Rule { rule: &rule.rule, message };
                self.violations.add(error_type(rule), &path, new, fault);
            }
        }
        Ok(())
    }

    fn compiled(&mut self, rule: &ValidationRule) -> Arc<Compiled> {
        let compile = || {
            let old_self = if rule.optional_old_self { OldSelf::Optional } else { OldSelf::Value };
            let environment = Environment::custom_resource(old_self);
            // The result may be dynamic, where an API server knows that it is boolean.
            let compile =
                |text: &str| Expression::compile_as(text, &[ResultType::Any], &environment);
            let message = Some(rule.message_expression.as_str()).filter(|it| !it.is_empty());
            let message = message.and_then(|it| compile(it).ok());
            Arc::new(Compiled { rule: compile(&rule.rule), message })
        };
        let address = std::ptr::from_ref(rule).addr();
        Arc::clone(self.compiled.entry(address).or_insert_with(compile))
    }

    /// Reports that a rule could not be evaluated.
    fn failed(
        &mut self,
        error: &EvaluationError,
        rule: &'d ValidationRule,
        value: &Tree,
        path: &FieldPath,
    ) -> Result<(), Ended> {
        if let EvaluationError::Undetermined(_) | EvaluationError::Exceeded(_) = error {
            let why = format!("the rule `{}` is not evaluated here: {error}", rule.rule);
            leave_open(self.undetermined, path, why);
            return Ok(());
        }
        let fault = Fault::Failed { rule: &rule.rule, reason: error.to_string() };
        self.violations.add(ErrorType::Invalid, path, value, fault);
        match error {
            EvaluationError::Failed(_) => Ok(()),
            _ => Err(Ended),
        }
    }
}

/// Returns the message of a violated rule.
fn message(compiled: &Compiled, rule: &ValidationRule, activation: &Activation<'_>) -> String {
    let evaluated = compiled.message.as_ref().and_then(|it| it.evaluate(activation).ok());
    let evaluated = evaluated.as_ref().and_then(Value::as_str).map(str::trim);
    let is_usable = |it: &&str| !it.is_empty() && it.len() <= LONGEST_MESSAGE && !it.contains('\n');
    match evaluated.filter(is_usable) {
        Some(message) => message.to_owned(),
        None => rule.message.trim().to_owned(),
    }
}

fn error_type(rule: &ValidationRule) -> ErrorType {
    match rule.reason.as_str() {
        "FieldValueForbidden" => ErrorType::Forbidden,
        "FieldValueRequired" => ErrorType::Required,
        "FieldValueDuplicate" => ErrorType::Duplicate,
        _ => ErrorType::Invalid,
    }
}

/// Returns the field of an error: that of a rule may be in the value, as in `.spec.replicas` and `['a']`.
fn reported_path(path: &FieldPath, relative: &str) -> FieldPath {
    let mut place = path.clone();
    let mut rest = relative;
    loop {
        if let Some(after) = rest.strip_prefix("['") {
            let Some((name, after)) = after.split_once("']") else {
                return place;
            };
            place = place.key(&name.replace("\\'", "'"));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            place = place.child_called(name);
            rest = after;
        } else {
            return place;
        }
    }
}

/// Returns the reason why values of a schema are not converted for CEL; `None` if they are.
fn unsupported(schema: &Schema) -> Option<String> {
    if schema.list_type != ListType::Atomic {
        return Some(
            "rules about lists of the types `set` and `map` are not evaluated here".to_owned(),
        );
    }
    let is_other_type =
        matches!(schema.format.as_str(), "date-time" | "date" | "duration" | "byte");
    if is_other_type && schema.kind == Some(JsonType::String) {
        let format = &schema.format;
        return Some(format!(
            "rules about values with the format `{format}` are not evaluated here"
        ));
    }
    let structure = schema.properties.values().chain(schema.values_of_map());
    structure.chain(schema.items.as_deref()).find_map(unsupported)
}

/// Converts a value for CEL: names of fields are escaped, and numbers have the type of the schema.
pub(super) fn cel_value(value: &Tree, schema: &Schema) -> Value {
    Value::from_json(&converted(value, Some(schema)))
}

fn converted(value: &Tree, schema: Option<&Schema>) -> Json {
    let is_number = schema.is_some_and(|it| it.kind == Some(JsonType::Number));
    match value {
        Tree::Null => Json::Null,
        Tree::Bool(value) => (*value).into(),
        #[expect(clippy::cast_precision_loss, reason = "an API server loses it, too")]
        Tree::Int(value) if is_number => (*value as f64).into(),
        Tree::Int(value) => (*value).into(),
        Tree::Double(value) => (*value).into(),
        Tree::String(value) => value.as_str().into(),
        Tree::List(items) => {
            let schema = schema.and_then(|it| it.items.as_deref());
            items.iter().map(|item| converted(item, schema)).collect()
        }
        Tree::Map(fields) => {
            let fields = fields.iter().filter_map(|(name, value)| {
                let is_field = schema.is_some_and(|it| it.properties.contains_key(name));
                let inner = schema.and_then(|it| it.field(name));
                let name = if is_field { escaped_field(name)? } else { name.clone() };
                Some((name, converted(value, inner)))
            });
            Json::Object(fields.collect())
        }
    }
}
