// SPDX-License-Identifier: Apache-2.0
//! Access to parts of an object given as JSON.

use serde_json::{Map, Value};

use garden_gate_text::json::Json;

/// Placeholder for values that an API server generates, such as a maintenance window or a CIDR.
pub const MADE_UP: &str = "(made up by the API server)";

/// Changes a value as lazily parsed JSON.
pub(super) fn change(value: &mut Value, change: impl FnOnce(&mut Json<'_>)) {
    let mut json = Json::of(value);
    change(&mut json);
    *value = json.opened().to_value();
}

/// Returns the object at a path, which is created if it is missing.
pub(super) fn object_at<'v>(value: &'v mut Value, path: &[&str]) -> &'v mut Map<String, Value> {
    let mut value = value;
    for name in path {
        value = own_fields(value).entry(*name).or_insert(Value::Null);
    }
    own_fields(value)
}

fn own_fields(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(fields) => fields,
        _ => unreachable!("it was made an object"),
    }
}

/// Returns the string at a path; empty if there is none.
pub(super) fn text_at<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    at(value, path).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    let found = path.iter().try_fold(value, |value, name| value.get(name));
    found.filter(|value| !value.is_null())
}

/// Returns the worker pools of a Shoot.
pub(super) fn pools(shoot: &Value) -> &[Value] {
    let pools = at(shoot, &["spec", "provider", "workers"]);
    pools.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
