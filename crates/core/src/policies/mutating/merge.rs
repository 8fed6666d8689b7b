// SPDX-License-Identifier: Apache-2.0
//! The merge of an `applyConfiguration` into an object.
//!
//! Mirrors ApplyStructuredMergeDiff in `pkg/admission/plugin/policy/mutating/patch/smd.go` of `k8s.io/apiserver`, and `typed` of
//! `sigs.k8s.io/structured-merge-diff/v6`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::merge_schema::{Identity, MergeSchema, Merging, ScalarType};

/// Maximum number of errors in a message.
const MOST_ERRORS: usize = 20;

/// Merges a configuration into an object.
///
/// # Errors
/// Fails with the message of an API server if the configuration or the object does not fit the schema, and if the configuration has an
/// atomic list or object.
pub fn apply_configuration<S: MergeSchema>(
    object: &Value,
    configuration: &Value,
    schema: S,
) -> Result<Value, String> {
    let failed = |what: &str, errors: Vec<String>| match &errors[..] {
        [] => Ok(()),
        [error] => Err(format!("error applying patch: {what}: {error}")),
        _ => Err(format!("error applying patch: {what}: errors:\n  {}", errors.join("\n  "))),
    };
    let mut validation = Validation { errors: Vec::new(), accepts_duplicates: false };
    validation.value(configuration, schema, &mut String::new());
    failed("failed to convert patch object to typed object", validation.errors)?;
    let mut atomic = Vec::new();
    find_atomic(configuration, schema, &mut String::new(), &mut atomic);
    if !atomic.is_empty() {
        let atomic = atomic.join(", ");
        let error = format!("may not mutate atomic arrays, maps or structs: {atomic}");
        failed("invalid ApplyConfiguration", vec![error])?;
    }
    let mut validation = Validation { errors: Vec::new(), accepts_duplicates: true };
    validation.value(object, schema, &mut String::new());
    failed("failed to convert original object to typed object", validation.errors)?;
    let merged = merge(Some(object), Some(configuration), schema);
    Ok(merged.unwrap_or_else(|| Value::Object(Map::new())))
}

/// The comparison of a value with its schema.
struct Validation {
    errors: Vec<String>,
    /// Whether elements with the same identity are valid.
    accepts_duplicates: bool,
}

impl Validation {
    fn add(&mut self, path: &str, error: &str) {
        if self.errors.len() < MOST_ERRORS {
            let colon = if path.is_empty() { "" } else { ": " };
            self.errors.push(format!("{path}{colon}{error}"));
        }
    }

    fn value<S: MergeSchema>(&mut self, value: &Value, schema: S, path: &mut String) {
        match (schema.merging(), value) {
            (_, Value::Null) | (Merging::Untyped { .. }, _) => {}
            (Merging::Scalar(scalar), value) => {
                if let Some(wanted) = wanted(scalar, value) {
                    self.add(path, &format!("expected {wanted}, got {}", type_name(value)));
                }
            }
            (Merging::Map { rest, .. }, Value::Object(fields)) => {
                for (name, value) in fields {
                    let inner = schema.field(name).or(rest);
                    within(path, &format!(".{name}"), |path| match inner {
                        Some(inner) => self.value(value, inner, path),
                        None => self.add(path, "field not declared in schema"),
                    });
                }
            }
            (Merging::List { item, identity }, Value::Array(items)) => {
                self.items(items, (item, &identity), path);
            }
            (Merging::Map { .. }, value) => {
                self.add(path, &format!("expected map, got {}", type_name(value)));
            }
            (Merging::List { .. }, value) => {
                self.add(path, &format!("expected list, got {}", type_name(value)));
            }
        }
    }

    fn items<S: MergeSchema>(
        &mut self,
        items: &[Value],
        (item, identity): (S, &Identity),
        path: &mut String,
    ) {
        let mut seen = BTreeSet::new();
        for (index, value) in items.iter().enumerate() {
            let part = match identity {
                Identity::Atomic => format!("[{index}]"),
                identity => match key(value, identity) {
                    Ok(key) => {
                        if !seen.insert(key.clone()) && !self.accepts_duplicates {
                            self.add(path, &format!("duplicate entries for key {key}"));
                        }
                        key
                    }
                    Err(error) => {
                        self.add(path, &format!("element {index}: {error}"));
                        return;
                    }
                },
            };
            within(path, &part, |path| self.value(value, item, path));
        }
    }
}

/// Calls a function with a path that is one part longer.
fn within(path: &mut String, part: &str, call: impl FnOnce(&mut String)) {
    let length = path.len();
    path.push_str(part);
    call(path);
    path.truncate(length);
}

/// Returns the name of the type that a scalar should have; `None` if it has it.
fn wanted(scalar: ScalarType, value: &Value) -> Option<&'static str> {
    let (is_valid, name) = match scalar {
        ScalarType::Number => (value.is_number(), "numeric (int or float)"),
        ScalarType::String => (value.is_string(), "string"),
        ScalarType::Boolean => (value.is_boolean(), "boolean"),
        ScalarType::Any => (!value.is_object() && !value.is_array(), "any scalar"),
    };
    (!is_valid).then_some(name)
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "map",
    }
}

/// Returns the identity of an element of a list that is not atomic, as in messages: `[name="a"]`.
fn key(element: &Value, identity: &Identity) -> Result<String, String> {
    let error = |text: &str| Err(text.to_owned());
    let Identity::Keys(keys) = identity else {
        return match element {
            Value::Object(_) => {
                error("associative list without keys has an element that's a map type")
            }
            Value::Array(_) => error("not supported: associative list with lists as elements"),
            Value::Null => {
                error("associative list without keys has an element that's an explicit null")
            }
            scalar => Ok(format!("[={}]", canonical(scalar))),
        };
    };
    let fields = match element {
        Value::Object(fields) => fields,
        Value::Null => return error("associative list with keys may not have a null element"),
        _ => return error("associative list with keys may not have non-map elements"),
    };
    let values = keys.iter().filter_map(|(name, default)| {
        let value = fields.get(name).or(default.as_ref())?;
        Some(format!("{name}={}", canonical(value)))
    });
    let mut parts: Vec<String> = values.collect();
    parts.sort_unstable();
    if parts.is_empty() {
        let names: Vec<String> = keys.iter().map(|(name, _)| format!("{name:?}")).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)",
            names.join(" ")
        ));
    }
    Ok(format!("[{}]", parts.join(",")))
}

/// Returns a value whose numbers are equal if they have the same value.
fn canonical(value: &Value) -> Value {
    match value.as_f64() {
        Some(number) if value.as_i64().is_none() && number.fract() == 0.0 => {
            garden_gate_text::go::whole(number).map_or_else(|| value.clone(), Value::from)
        }
        _ => value.clone(),
    }
}

/// Collects the paths of atomic lists and objects in a configuration.
fn find_atomic<S: MergeSchema>(
    value: &Value,
    schema: S,
    path: &mut String,
    found: &mut Vec<String>,
) {
    let mut add = |path: &str, is_atomic: bool| {
        if is_atomic && found.len() < MOST_ERRORS {
            found.push(path.to_owned());
        }
    };
    match (schema.merging(), value) {
        (Merging::Map { is_atomic, .. }, Value::Object(fields)) => {
            add(path, is_atomic);
            // Values of maps without declared fields are not visited, as in an API server.
            for (name, value) in fields {
                if let Some(inner) = schema.field(name) {
                    let part = format!(".{name}");
                    within(path, &part, |path| find_atomic(value, inner, path, found));
                }
            }
        }
        (Merging::List { item, identity }, Value::Array(items)) => {
            add(path, matches!(identity, Identity::Atomic));
            for (index, value) in items.iter().enumerate() {
                let part = format!("[{index}]");
                within(path, &part, |path| find_atomic(value, item, path, found));
            }
        }
        (Merging::Untyped { is_deduced }, Value::Object(_)) => add(path, !is_deduced),
        (Merging::Untyped { .. }, Value::Array(_)) => add(path, true),
        _ => {}
    }
}

/// Merges two valid values, of which one may be absent; `None` if nothing remains.
fn merge<S: MergeSchema>(old: Option<&Value>, new: Option<&Value>, schema: S) -> Option<Value> {
    match schema.merging() {
        Merging::Scalar(_) => leaf(old, new),
        Merging::Map { is_atomic, rest } => merge_maps((old, new), is_atomic, |name| {
            let inner = schema.field(name).or(rest);
            move |old, new| match inner {
                Some(inner) => merge(old, new, inner),
                None => leaf(old, new),
            }
        }),
        Merging::List { item, identity } => merge_lists((old, new), (item, &identity)),
        Merging::Untyped { is_deduced } => merge_untyped(old, new, is_deduced),
    }
}

fn leaf(old: Option<&Value>, new: Option<&Value>) -> Option<Value> {
    new.or(old).cloned()
}

fn merge_untyped(old: Option<&Value>, new: Option<&Value>, is_deduced: bool) -> Option<Value> {
    match new.or(old) {
        Some(Value::Object(_) | Value::Null) => merge_maps((old, new), !is_deduced, |_| {
            move |old: Option<&Value>, new: Option<&Value>| merge_untyped(old, new, is_deduced)
        }),
        _ => leaf(old, new),
    }
}

fn merge_maps<M>(
    (old, new): (Option<&Value>, Option<&Value>),
    is_atomic: bool,
    of_field: impl Fn(&str) -> M,
) -> Option<Value>
where
    M: Fn(Option<&Value>, Option<&Value>) -> Option<Value>,
{
    let [old_fields, new_fields] = [old, new].map(|it| it.and_then(Value::as_object));
    let is_empty = [old_fields, new_fields].iter().flatten().all(|it| it.is_empty());
    if is_atomic || is_empty {
        return leaf(old, new);
    }
    let mut merged = Map::new();
    let names = [old_fields, new_fields].into_iter().flatten().flat_map(Map::keys);
    for name in names {
        if merged.contains_key(name) {
            continue;
        }
        let [old, new] = [old_fields, new_fields].map(|it| it.and_then(|it| it.get(name)));
        if let Some(value) = of_field(name)(old, new) {
            merged.insert(name.clone(), value);
        }
    }
    (!merged.is_empty()).then_some(Value::Object(merged))
}

fn merge_lists<S: MergeSchema>(
    (old, new): (Option<&Value>, Option<&Value>),
    (item, identity): (S, &Identity),
) -> Option<Value> {
    let [old_items, new_items] =
        [old, new].map(|it| it.and_then(Value::as_array).map_or(&[][..], Vec::as_slice));
    let is_empty = old_items.is_empty() && new_items.is_empty();
    if matches!(identity, Identity::Atomic) || is_empty {
        return leaf(old, new);
    }
    let of = |items: &[Value]| {
        let keys = items.iter().map(|it| key(it, identity));
        keys.collect::<Result<Vec<String>, _>>()
    };
    // Both were validated before.
    let (Ok(old_keys), Ok(new_keys)) = (of(old_items), of(new_items)) else {
        return leaf(old, new);
    };
    let mut lists =
        Lists { old_items, old_keys: &old_keys, old: BTreeMap::new(), new: BTreeMap::new() };
    for (key, item) in old_keys.iter().zip(old_items) {
        // Of several elements, none is merged.
        lists.old.entry(key).and_modify(|it| *it = &Value::Null).or_insert(item);
    }
    lists.new.extend(new_keys.iter().map(String::as_str).zip(new_items));
    let merged = lists.merged(&new_keys, |old, new| merge(old, new, item));
    (!merged.is_empty()).then_some(Value::Array(merged))
}

/// Two lists with the identities of their elements. Only the old one may have several elements with the same identity.
struct Lists<'v> {
    old_items: &'v [Value],
    old_keys: &'v [String],
    /// The elements by their identities; `null` for several.
    old: BTreeMap<&'v str, &'v Value>,
    new: BTreeMap<&'v str, &'v Value>,
}

impl Lists<'_> {
    /// Merges the elements in the order of the new list, with other old elements between them.
    fn merged(
        &self,
        new_keys: &[String],
        merge: impl Fn(Option<&Value>, Option<&Value>) -> Option<Value>,
    ) -> Vec<Value> {
        let both = |key: &str| merge(self.old.get(key).copied(), self.new.get(key).copied());
        let mut merged = Vec::new();
        let mut taken = BTreeSet::new();
        let mut shared = new_keys.iter().filter(|it| self.old.contains_key(it.as_str()));
        let mut next_shared = shared.next();
        let (mut old_index, mut new_index) = (0, 0);
        loop {
            let (old_key, new_key) = (self.old_keys.get(old_index), new_keys.get(new_index));
            if let (Some(old_key), Some(new_key)) = (old_key, new_key) {
                if old_key == new_key {
                    taken.insert(new_key);
                    merged.extend(both(new_key));
                    old_index += 1;
                    new_index += 1;
                    next_shared = shared.next();
                    continue;
                }
                let is_in_new = self.new.contains_key(old_key.as_str());
                if is_in_new && next_shared.is_some_and(|it| it != old_key) {
                    // It is merged later.
                    old_index += 1;
                    continue;
                }
            }
            if let Some(old_key) = old_key {
                if !self.new.contains_key(old_key.as_str()) {
                    merged.extend(merge(self.old_items.get(old_index), None));
                    old_index += 1;
                    continue;
                }
                if taken.contains(old_key) {
                    old_index += 1;
                }
            }
            let Some(new_key) = new_key else {
                if old_key.is_none() {
                    return merged;
                }
                continue;
            };
            taken.insert(new_key);
            merged.extend(both(new_key));
            new_index += 1;
            if next_shared == Some(new_key) {
                next_shared = shared.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::apply_configuration;
    use crate::policies::schema::KnownShape;
    use garden_gate_model::api::{GardenerVersion, described};

    fn shoot() -> KnownShape {
        KnownShape::in_version(described("Shoot").unwrap().object, GardenerVersion::NEWEST)
    }

    fn object() -> Value {
        json!({
            "metadata": {"name": "a", "labels": {"a": "b"}, "finalizers": ["x"]},
            "spec": {
                "region": "r",
                "tolerations": [{"key": "a"}, {"key": "b", "value": "v"}],
                "provider": {
                    "type": "local", "workers": [{"name": "w", "zones": ["1"]}],
                    "infrastructureConfig": {"a": 1},
                },
                "kubernetes": {"kubelet": null},
            },
        })
    }

    /// Returns the part of the merged object at a pointer.
    fn merged(configuration: &Value, pointer: &str) -> Result<Value, String> {
        let merged = apply_configuration(&object(), configuration, shoot())?;
        Ok(merged.pointer(pointer).cloned().unwrap_or_default())
    }

    #[rstest]
    #[case::empty(json!({}), "", object())]
    #[case::scalar(json!({"spec": {"region": "s"}}), "/spec/region", json!("s"))]
    #[case::label(json!({"metadata": {"labels": {"c": "d"}}}), "/metadata/labels", json!({"a": "b", "c": "d"}))]
    #[case::set(json!({"metadata": {"finalizers": ["y", "x"]}}), "/metadata/finalizers", json!(["y", "x"]))]
    #[case::added_to_set(json!({"metadata": {"finalizers": ["y"]}}), "/metadata/finalizers", json!(["x", "y"]))]
    #[case::element(
        json!({"spec": {"tolerations": [{"key": "b", "value": "w"}, {"key": "c"}]}}), "/spec/tolerations",
        json!([{"key": "a"}, {"key": "b", "value": "w"}, {"key": "c"}])
    )]
    #[case::order(
        json!({"spec": {"tolerations": [{"key": "c"}, {"key": "b"}, {"key": "a"}]}}), "/spec/tolerations",
        json!([{"key": "c"}, {"key": "b", "value": "v"}, {"key": "a"}])
    )]
    #[case::element_without_key(
        json!({"spec": {"tolerations": [{"value": "w"}]}}), "/spec/tolerations",
        json!([{"key": "a"}, {"key": "b", "value": "v"}, {"value": "w"}])
    )]
    #[case::below_null(json!({"spec": {"kubernetes": {"kubelet": {"failSwapOn": true}}}}), "/spec/kubernetes/kubelet", json!({"failSwapOn": true}))]
    #[case::empty_object(json!({"spec": {"kubernetes": {"kubelet": {}}}}), "/spec/kubernetes/kubelet", json!({}))]
    #[case::below_element(
        json!({"spec": {"provider": {"workers": [{"name": "w", "minimum": 1}]}}}), "/spec/provider/workers",
        json!([{"name": "w", "zones": ["1"], "minimum": 1}])
    )]
    fn configuration_is_merged(
        #[case] configuration: Value,
        #[case] pointer: &str,
        #[case] expected: Value,
    ) {
        assert_eq!(merged(&configuration, pointer), Ok(expected));
    }

    #[rstest]
    #[case::unknown_field(json!({"spec": {"regions": "s"}}), ".spec.regions: field not declared in schema")]
    #[case::type_of_scalar(json!({"spec": {"region": 1}}), ".spec.region: expected string, got number")]
    #[case::type_of_list(json!({"spec": {"tolerations": {}}}), ".spec.tolerations: expected list, got map")]
    #[case::duplicate(
        json!({"spec": {"tolerations": [{"key": "a"}, {"key": "a"}]}}),
        ".spec.tolerations: duplicate entries for key [key=\"a\"]"
    )]
    #[case::zones(
        json!({"spec": {"provider": {"workers": [{"name": "w", "zones": ["2"]}]}}}),
        "may not mutate atomic arrays, maps or structs: .spec.provider.workers[0].zones"
    )]
    #[case::extension(
        json!({"spec": {"provider": {"infrastructureConfig": {"b": 1}}}}),
        "may not mutate atomic arrays, maps or structs: .spec.provider.infrastructureConfig"
    )]
    #[case::owner(
        json!({"metadata": {"ownerReferences": [{"uid": "u"}]}}),
        "may not mutate atomic arrays, maps or structs: .metadata.ownerReferences[0]"
    )]
    fn invalid_configuration_fails(#[case] configuration: Value, #[case] expected: &str) {
        let error = merged(&configuration, "").unwrap_err();
        assert!(error.starts_with("error applying patch: ") && error.contains(expected), "{error}");
    }

    #[test]
    fn long_lists_are_merged_quickly() {
        let list = |first: usize| -> Value {
            (first..first + 50_000).map(|it| json!({"key": format!("{it}")})).collect()
        };
        let old = json!({"spec": {"tolerations": list(0)}});
        let new = json!({"spec": {"tolerations": list(25_000)}});
        let merged = apply_configuration(&old, &new, shoot()).unwrap();
        assert_eq!(merged["spec"]["tolerations"].as_array().map(Vec::len), Some(75_000));
    }
}
