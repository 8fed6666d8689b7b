// SPDX-License-Identifier: Apache-2.0
//! MutatingAdmissionPolicies with objects, and the answers of a kube-apiserver to them.

use garden_gate_cel::{
    Activation, CompileError, Environment, EvaluationError, Expression, ResultType,
    Value as CelValue,
};
use garden_gate_core::policies::json_patch::{PatchFailure, Patched, apply};
use garden_gate_core::policies::{Identity, MergeSchema, Merging, ScalarType, apply_configuration};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The policies, and the schemas of the kinds that they change.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RecordedMutations {
    /// `components.schemas` of OpenAPI v3, so far as the kinds need them.
    pub(crate) schemas: Value,
    pub(crate) policies: Vec<RecordedMutation>,
}

/// A policy and the objects that are put to it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RecordedMutation {
    pub(crate) policy: Value,
    /// The error if the API server refuses the policy.
    pub(crate) refused: Option<String>,
    pub(crate) objects: Vec<RecordedObject>,
}

/// An object and the answer to it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RecordedObject {
    /// The object without policies, without fields that the API server sets.
    pub(crate) object: Value,
    /// The object as policies leave it; `null` if it is refused.
    pub(crate) changed: Value,
    /// The status and the message of a refusal.
    pub(crate) refused: Option<(u16, String)>,
}

/// The result of a policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mutated {
    Changed(Value),
    Refused(u16, String),
    Unknown(String),
}

/// A schema of OpenAPI v3.
#[derive(Clone, Copy)]
pub(crate) struct OpenApi<'s> {
    schemas: &'s Value,
    schema: &'s Value,
}

const PREFIX: &str = "#/components/schemas/";

/// Returns the name of the type of a kind.
pub(crate) fn type_name(kind: &str) -> &'static str {
    match kind {
        "ConfigMap" => "io.k8s.api.core.v1.ConfigMap",
        "Deployment" => "io.k8s.api.apps.v1.Deployment",
        _ => "com.example.v1.Widget",
    }
}

impl<'s> OpenApi<'s> {
    pub(crate) fn of(schemas: &'s Value, kind: &str) -> Self {
        Self { schemas, schema: &schemas[type_name(kind)] }
    }

    fn with(self, schema: &'s Value) -> Self {
        Self { schema, ..self }
    }

    /// Returns the name of the referenced type, if it is one.
    fn reference(self) -> Option<&'s str> {
        let reference = self.schema.get("$ref").or_else(|| self.schema.pointer("/allOf/0/$ref"));
        reference?.as_str()?.strip_prefix(PREFIX)
    }

    fn resolved(self) -> Self {
        self.reference().map_or(self, |name| self.with(&self.schemas[name]))
    }

    fn default(self, field: &str) -> Option<Value> {
        self.resolved().schema.pointer(&format!("/properties/{field}/default")).cloned()
    }

    fn identity(self) -> Identity {
        let list = &self.schema;
        let strategy = list["x-kubernetes-patch-strategy"].as_str().unwrap_or_default();
        let keys: Vec<&str> = match (list["x-kubernetes-list-type"].as_str(), strategy) {
            (Some("set"), _) => return Identity::Value,
            (Some("map"), _) => {
                let keys = list["x-kubernetes-list-map-keys"].as_array().unwrap();
                keys.iter().map(|it| it.as_str().unwrap()).collect()
            }
            (None, strategy) if strategy.contains("merge") => {
                match list["x-kubernetes-patch-merge-key"].as_str() {
                    Some(key) => vec![key],
                    None => return Identity::Value,
                }
            }
            _ => return Identity::Atomic,
        };
        let item = self.with(&list["items"]);
        Identity::Keys(keys.into_iter().map(|it| (it.to_owned(), item.default(it))).collect())
    }
}

impl MergeSchema for OpenApi<'_> {
    fn merging(self) -> Merging<Self> {
        match self.reference() {
            Some("io.k8s.apimachinery.pkg.runtime.RawExtension") => {
                return Merging::Untyped { is_deduced: false };
            }
            Some("io.k8s.apimachinery.pkg.api.resource.Quantity") => {
                return Merging::Scalar(ScalarType::Any);
            }
            _ => {}
        }
        let this = self.resolved();
        let schema = this.schema;
        match schema["type"].as_str() {
            Some("object") => {
                let is_free = schema.get("properties").is_none()
                    || schema["x-kubernetes-preserve-unknown-fields"] == true;
                let rest = match schema.get("additionalProperties") {
                    Some(inner) if inner.is_object() => Some(this.with(inner)),
                    None if !is_free => None,
                    // Any value.
                    _ => Some(this.with(&Value::Null)),
                };
                let is_atomic = schema["x-kubernetes-map-type"] == "atomic";
                Merging::Map { is_atomic, rest }
            }
            Some("array") => {
                Merging::List { item: this.with(&schema["items"]), identity: this.identity() }
            }
            Some("integer" | "number") => Merging::Scalar(ScalarType::Number),
            Some("boolean") => Merging::Scalar(ScalarType::Boolean),
            Some("string") if schema["format"] == "int-or-string" => {
                Merging::Scalar(ScalarType::Any)
            }
            Some("string") => Merging::Scalar(ScalarType::String),
            _ => Merging::Untyped { is_deduced: true },
        }
    }

    fn field(self, name: &str) -> Option<Self> {
        let this = self.resolved();
        this.schema["properties"].get(name).map(|it| this.with(it))
    }
}

type Variables = Vec<(String, Result<Expression, CompileError>)>;

/// A policy with compiled expressions.
struct Compiled {
    variables: Variables,
    conditions: Vec<Expression>,
    mutations: Vec<(bool, Expression)>,
    fails: bool,
}

impl Compiled {
    fn of(policy: &Value) -> Result<Self, CompileError> {
        let spec = &policy["spec"];
        let mut environment = Environment::admission();
        let text = |it: &Value| it["expression"].as_str().unwrap().to_owned();
        let conditions = spec["matchConditions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| Expression::compile_as(&text(it), &[ResultType::Bool], &environment));
        let conditions = conditions.collect::<Result<_, _>>()?;
        let mut variables = Variables::new();
        for variable in spec["variables"].as_array().into_iter().flatten() {
            let compiled = Expression::compile(&text(variable), &environment);
            if let Err(error) = &compiled {
                return Err(error.clone());
            }
            let name = variable["name"].as_str().unwrap();
            environment.add_variable(name, &compiled);
            variables.push((name.to_owned(), compiled));
        }
        let environment = environment.with_patch_types();
        let mutations = spec["mutations"].as_array().unwrap().iter().map(|it| {
            let is_patch = it["patchType"] == "JSONPatch";
            let (field, result) = if is_patch {
                ("jsonPatch", ResultType::JsonPatches)
            } else {
                ("applyConfiguration", ResultType::Object)
            };
            let compiled = Expression::compile_as(&text(&it[field]), &[result], &environment);
            compiled.map(|it| (is_patch, it))
        });
        let mutations = mutations.collect::<Result<_, _>>()?;
        Ok(Self { variables, conditions, mutations, fails: spec["failurePolicy"] != "Ignore" })
    }

    fn activation(&self, object: &Value) -> Activation<'_> {
        Activation::new()
            .bind("object", CelValue::from_json(object))
            .with_variables(&self.variables)
    }

    /// Evaluates the conditions; `None` if an error counts.
    fn is_met(&self, object: &Value) -> Result<bool, Vec<String>> {
        let activation = self.activation(object).with_budget(Activation::BUDGET / 4);
        let mut errors = Vec::new();
        for condition in &self.conditions {
            match condition.evaluate(&activation) {
                Ok(it) if it.as_bool() == Some(false) => return Ok(false),
                Ok(_) => {}
                Err(error) => errors.push(failed(condition, &error)),
            }
        }
        match (errors.is_empty(), self.fails) {
            (true, _) => Ok(true),
            (false, true) => Err(errors),
            (false, false) => Ok(false),
        }
    }
}

fn failed(expression: &Expression, error: &EvaluationError) -> String {
    format!("expression '{}' resulted in error: {error}", expression.text())
}

enum Failure {
    Policy(String),
    Unknown(String),
}

fn failure(error: EvaluationError) -> Failure {
    match error {
        EvaluationError::Failed(why) => Failure::Policy(why),
        other => Failure::Unknown(other.to_string()),
    }
}

fn mutated(
    object: &Value,
    (is_patch, value): (bool, &CelValue),
    schema: OpenApi<'_>,
) -> Result<Value, Failure> {
    if is_patch {
        let operations = value.to_operations().map_err(failure)?;
        return match apply(object, &operations) {
            Ok(Patched::Changed(changed)) => Ok(changed),
            Ok(Patched::Untouched) => Ok(object.clone()),
            Err(PatchFailure::Failed(why)) => Err(Failure::Policy(why)),
            Err(PatchFailure::Unknown(why)) => Err(Failure::Unknown(why.to_owned())),
        };
    }
    let mut configuration = value.to_configuration().map_err(failure)?;
    for name in ["apiVersion", "kind"] {
        configuration[name] = object[name].clone();
    }
    let merged = apply_configuration(object, &configuration, schema).map_err(Failure::Policy)?;
    if object["kind"] == "Widget" && has_empty_list(&configuration, &merged) {
        return Err(Failure::Unknown("an empty list in a Widget".to_owned()));
    }
    Ok(merged)
}

/// Applies a valid policy to an object.
pub(crate) fn mutate(
    policy: &Value,
    object: &Value,
    schemas: &Value,
) -> Result<Mutated, CompileError> {
    let compiled = Compiled::of(policy)?;
    let name = policy["metadata"]["name"].as_str().unwrap();
    let schema = OpenApi::of(schemas, object["kind"].as_str().unwrap());
    let refused = |why: &str| {
        let message = format!("policy '{name}' with binding '{name}' denied request: {why}");
        Mutated::Refused(403, message)
    };
    let unmet = |errors: &[String]| match errors {
        [error] => refused(error),
        errors => refused(&format!("[{}]", errors.join(", "))),
    };
    match compiled.is_met(object) {
        Ok(true) => {}
        Ok(false) => return Ok(Mutated::Changed(object.clone())),
        Err(errors) => return Ok(unmet(&errors)),
    }
    let mut changed = object.clone();
    let (mut refusal, mut is_changed) = (None, false);
    for (is_patch, expression) in &compiled.mutations {
        let activation = compiled.activation(&changed);
        let value = match expression.evaluate(&activation) {
            Ok(value) => Ok(value),
            Err(EvaluationError::Undetermined(why)) => Err(Failure::Unknown(why)),
            Err(error) => Err(Failure::Policy(failed(expression, &error))),
        };
        match value.and_then(|value| mutated(&changed, (*is_patch, &value), schema)) {
            Ok(next) => {
                changed = next;
                is_changed = true;
                add_defaults(&mut changed);
            }
            Err(Failure::Unknown(why)) => return Ok(Mutated::Unknown(why)),
            Err(Failure::Policy(why)) if compiled.fails => {
                refusal.get_or_insert_with(|| refused(&why));
            }
            Err(Failure::Policy(_)) => {}
        }
    }
    if let Some(refusal) = refusal {
        return Ok(refusal);
    }
    // The conditions are evaluated again, even with the reinvocation policy `Never`.
    Ok(match compiled.is_met(&changed) {
        Err(errors) if is_changed => unmet(&errors),
        _ => stored(changed),
    })
}

/// Adds the defaults of Widgets.
fn add_defaults(object: &mut Value) {
    if object["kind"] != "Widget" {
        return;
    }
    let ports = object.pointer_mut("/spec/ports");
    for port in ports.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(port) = port.as_object_mut() {
            port.entry("protocol").or_insert_with(|| json!("TCP"));
        }
    }
}

/// Removes the field of a Widget that its definition does not have, and empty metadata.
///
/// Objects of Gardener have no such fields, and no values of wrong types, which only custom resources can have at this point.
fn stored(mut object: Value) -> Mutated {
    if object["kind"] == "Widget" {
        object.as_object_mut().unwrap().remove("none");
        let is_text =
            |it: &Value| it.as_object().is_some_and(|it| it.values().all(Value::is_string));
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.retain(|_, it| *it != json!({}) && *it != json!([]));
        }
        let metadata = &object["metadata"];
        let texts = ["labels", "annotations"].map(|it| metadata.get(it).is_none_or(is_text));
        if texts.contains(&false) || has_null(&object) {
            return Mutated::Unknown("a Widget with a value of a wrong type".to_owned());
        }
    }
    Mutated::Changed(object)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

/// Reports whether an empty list of a configuration is in the result, which is `null` in a custom resource.
fn has_empty_list(configuration: &Value, merged: &Value) -> bool {
    match (configuration, merged) {
        (Value::Array(items), Value::Array(merged)) => items.is_empty() && merged.is_empty(),
        (Value::Object(fields), Value::Object(merged)) => {
            let mut both = fields.iter().filter_map(|(name, it)| Some((it, merged.get(name)?)));
            both.any(|(it, merged)| has_empty_list(it, merged))
        }
        _ => false,
    }
}

/// Returns the part of a message that does not depend on how Go prints values, or on the order of a map.
pub(crate) fn comparable(message: &str) -> &str {
    let ends = [
        "type mismatch: ",
        "typed object: ",
        "may not mutate atomic arrays, maps or structs: ",
        "could not marshal to JSON: ",
        "unexpected type ",
        "JSON Patch: ",
        "invalid return type",
        "non-optional value ",
    ];
    let end = ends.iter().filter_map(|it| message.find(it).map(|at| at + it.len())).min();
    end.map_or(message, |end| &message[..end])
}

/// Returns a difference to the answer of an API server in words.
pub(crate) fn difference(ours: &Mutated, theirs: &RecordedObject) -> Option<String> {
    let is_same = match (ours, &theirs.refused) {
        // [`RecordedMutations::undetermined`] counts them.
        (Mutated::Unknown(_), _) => true,
        (Mutated::Changed(ours), None) => *ours == theirs.changed,
        (Mutated::Refused(code, ours), Some((their_code, message))) => {
            code == their_code && comparable(ours) == comparable(message)
        }
        _ => false,
    };
    let words = || format!("ours {ours:?}\ntheirs {:?} {}", theirs.refused, theirs.changed);
    (!is_same).then(words)
}

impl RecordedMutations {
    /// Returns the number of objects.
    pub(crate) fn objects(&self) -> usize {
        self.policies.iter().map(|it| it.objects.len()).sum()
    }

    /// Returns the reasons of undetermined results.
    pub(crate) fn undetermined(&self) -> Vec<String> {
        let of_policy = |it: &RecordedMutation| {
            let results = it.objects.iter().filter_map(|object| {
                match mutate(&it.policy, &object.object, &self.schemas) {
                    Ok(Mutated::Unknown(why)) => Some(why),
                    _ => None,
                }
            });
            results.collect::<Vec<String>>()
        };
        self.policies.iter().flat_map(of_policy).collect()
    }

    /// Returns the results that differ from those of the API server, in words.
    pub(crate) fn differences(&self) -> Vec<String> {
        let of_policy = |it: &RecordedMutation| {
            let spec = &it.policy["spec"];
            match (Compiled::of(&it.policy), &it.refused) {
                (Err(_), Some(_)) => return Vec::new(),
                (Ok(_), None) => {}
                (compiled, refused) => {
                    let error = compiled.err();
                    return vec![format!("ours {error:?}\ntheirs {refused:?}\n{spec:#}")];
                }
            }
            let differences = it.objects.iter().filter_map(|object| {
                let ours = mutate(&it.policy, &object.object, &self.schemas).unwrap();
                let words = difference(&ours, object)?;
                Some(format!("{words}\n{spec:#}\n{}", object.object))
            });
            differences.collect()
        };
        self.policies.iter().flat_map(of_policy).collect()
    }
}
