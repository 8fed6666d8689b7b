// SPDX-License-Identifier: Apache-2.0
//! Expressions, compared with a kube-apiserver's libraries: results, errors and costs.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_cel::{Activation, Environment, Expression, Value};
use serde_json::{Value as Json, json};

/// Rows with an error of which only the first words are compared: Go names the place of the error, too.
const SHORTENED: [&str; 6] = [
    "IP Address",
    "error parsing regexp",
    "Illegal regex",
    "URL parse error",
    "network address parse error",
    "no such overload",
];

/// Expressions that garden-gate refuses as unsupported.
const UNSUPPORTED: [&str; 3] =
    ["google.protobuf.Duration{", "Int32Value{", "variables : variables"];

fn vectors() -> Json {
    let file = File::open("tests/vectors/expressions.json.gz").unwrap();
    serde_json::from_reader(GzDecoder::new(file)).unwrap()
}

/// Returns a value in the notation of the recording.
fn printed(value: &Value) -> Json {
    match value {
        Value::Null => json!("null"),
        Value::Bool(value) => json!({"bool": value}),
        Value::Int(value) => json!({"int": value.to_string()}),
        Value::Uint(value) => json!({"uint": value.to_string()}),
        Value::Double(_) => json!({"double": value.to_string()}),
        Value::String(text) => json!({"string": &**text}),
        Value::Bytes(_) => json!({"bytes": value.to_string()}),
        Value::Timestamp(_) => json!({"timestamp": value.to_string()}),
        Value::Duration(_) => json!({"duration": value.to_string()}),
        Value::Type(name) => json!({"type": name}),
        Value::Optional(value) => json!({"optional": value.as_deref().map(printed)}),
        Value::List(list) => json!({"list": list.items().iter().map(printed).collect::<Vec<_>>()}),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| json!([printed(key), printed(value)]));
            json!({"map": entries.collect::<Vec<_>>()})
        }
        Value::Unknown(reason) => json!({"unknown": &**reason}),
        Value::Unreadable(reason) => json!({"unreadable": &**reason}),
        Value::Library(_) | Value::Constructed(_) => {
            json!({"opaque": value.type_name(), "text": value.to_string()})
        }
    }
}

/// Sorts the entries of maps, whose order is not defined in Kubernetes.
fn sorted(value: &Json) -> Json {
    match value {
        Json::Array(items) => items.iter().map(sorted).collect(),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let mut value = sorted(value);
                if let (true, Json::Array(entries)) = (name == "map", &mut value) {
                    entries.sort_by_key(ToString::to_string);
                }
                (name.clone(), value)
            });
            Json::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Reports whether two errors are the same but for details.
///
/// In an internal error, cel-go treats the error of an operand as a list.
fn is_same_error(recorded: &str, error: &str) -> bool {
    if recorded.starts_with("internal error") {
        return true;
    }
    let is_of = |prefix: &&str| recorded.starts_with(*prefix) && error.starts_with(*prefix);
    recorded == error || SHORTENED.iter().any(is_of)
}

#[test]
fn expressions_have_the_results_and_costs_of_kubernetes() {
    let recorded = vectors();
    let bind = |activation: Activation<'static>, name: &str| {
        activation.bind(name, Value::from_json(&recorded["bindings"][name]))
    };
    let names = ["object", "oldObject", "params", "request", "namespaceObject"];
    let environment = Environment::admission().with_params();
    let mut wrong = Vec::new();
    let rows = recorded["vectors"].as_array().unwrap();
    for row in rows {
        let text = row["expression"].as_str().unwrap();
        let found = match Expression::compile(text, &environment) {
            Err(_) => json!({"refused": true}),
            Ok(expression) => {
                let activation = names.into_iter().fold(Activation::new(), bind);
                match expression.evaluate(&activation) {
                    Ok(value) => json!({"result": printed(&value), "cost": activation.spent()}),
                    Err(error) => json!({"error": error.to_string()}),
                }
            }
        };
        let is_same = match (&row["refused"], row["error"].as_str()) {
            (Json::Bool(true), _) => found["refused"] == true,
            (_, Some(error)) => found["error"].as_str().is_some_and(|it| is_same_error(error, it)),
            _ if UNSUPPORTED.iter().any(|it| text.contains(it)) => found["refused"] == true,
            // The wording is not that of Kubernetes.
            _ if text.contains(".validate(") && text.starts_with("format.") => {
                let is_valid = |it: &Json| it["result"]["optional"].is_null();
                is_valid(&found) == is_valid(row) && found["cost"] == row["cost"]
            }
            _ => sorted(&found["result"]) == sorted(&row["result"]) && found["cost"] == row["cost"],
        };
        if !is_same {
            wrong.push(format!("{text}\n  Kubernetes: {row}\n  garden-gate: {found}"));
        }
    }
    assert!(rows.len() > 3_000);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
