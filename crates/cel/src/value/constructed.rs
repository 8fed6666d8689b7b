// SPDX-License-Identifier: Apache-2.0
//! Objects and JSON patches that expressions create, and their JSON.
//!
//! Mirrors `pkg/cel/mutation` and `pkg/admission/plugin/policy/mutating/patch` of `k8s.io/apiserver`.

use std::cell::Cell;

use serde_json::{Map as JsonMap, Value as Json};

use super::{Constructed, List, Map, Value};
use crate::error::{EvaluationError, failed, undetermined};
use crate::excerpt::excerpt;
use crate::value::Evaluated;
use garden_gate_text::go::whole;

/// Maximum nesting of JSON from an expression, for recursive functions.
const DEEPEST: usize = 100;
/// Maximum size of the JSON of a result, about in bytes. An API server stores less.
const LARGEST: usize = 8 << 20;
/// Size of a value without its text, in bytes.
const VALUE: usize = 32;
/// Maximum number of values whose types are checked.
const MOST_CHECKED: usize = 1 << 20;
/// The integers that `double` represents exactly.
const SAFE: i64 = (1 << 53) - 1;
/// The reason for values that an API server does not convert either, or converts in an uncommon way.
const UNCOMMON: &str = "the conversion to JSON is not implemented";

/// An operation of a JSON patch.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchOperation {
    /// The name, such as `add`; it may be invalid.
    pub op: String,
    /// The JSON pointer that is changed; it may be invalid.
    pub path: String,
    /// The JSON pointer that is copied or moved; empty without one.
    pub from: String,
    /// The value, if there is one.
    pub value: Option<Json>,
}

/// The nesting of a value, and the remaining size of the JSON.
#[derive(Clone, Copy)]
struct Place<'r> {
    depth: usize,
    remaining: &'r Cell<usize>,
}

impl Place<'_> {
    /// Adds a value with a text of that length.
    fn spend(self, length: usize) -> Evaluated<()> {
        match self.remaining.get().checked_sub(VALUE + length) {
            Some(remaining) => {
                self.remaining.set(remaining);
                Ok(())
            }
            None => undetermined(format!("its result has more than {LARGEST} bytes")),
        }
    }

    fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl Value {
    /// Returns the JSON of an `Object` for an `applyConfiguration`.
    ///
    /// # Errors
    /// Fails as in an API server if the name of a type is not the path of its field, and for values without JSON.
    pub fn to_configuration(&self) -> Result<Json, EvaluationError> {
        let Self::Constructed(object) = self else {
            return undetermined(UNCOMMON);
        };
        object.check_names()?;
        let remaining = Cell::new(LARGEST);
        object.to_native(Place { depth: 0, remaining: &remaining }, &|| undetermined(UNCOMMON))
    }

    /// Returns the operations of a list of `JSONPatch`.
    ///
    /// # Errors
    /// Fails as in an API server if a value cannot be converted to JSON.
    pub fn to_operations(&self) -> Result<Vec<PatchOperation>, EvaluationError> {
        let remaining = Cell::new(LARGEST);
        let place = Place { depth: 0, remaining: &remaining };
        let operations = self.elements().iter().map(|it| match it {
            Self::Constructed(operation) => operation.to_operation(place),
            _ => undetermined(UNCOMMON),
        });
        operations.collect()
    }
}

impl Constructed {
    fn to_operation(&self, place: Place<'_>) -> Evaluated<PatchOperation> {
        let text = |name: &str| match self.fields.get(name) {
            Some(Value::String(text)) if text.chars().any(is_quoted_otherwise) => {
                undetermined(format!("`{name}` of a JSONPatch has a control character"))
            }
            Some(Value::String(text)) => {
                place.spend(text.len())?;
                Ok((**text).to_owned())
            }
            _ => Ok(String::new()),
        };
        let value = self.fields.get("value").map(|value| match value {
            Value::Constructed(object) => {
                object.check_names()?;
                object.to_native(place, &|| failed(unmarshalable(value)))
            }
            value => json(value, place),
        });
        Ok(PatchOperation {
            op: text("op")?,
            path: text("path")?,
            from: text("from")?,
            value: value.transpose()?,
        })
    }

    /// Fails if the name of a type is not the path of its field.
    fn check_names(&self) -> Evaluated<()> {
        let mut errors = Vec::new();
        let mut checked = 0;
        let mut open = vec![(self.type_name.to_string(), self)];
        while let Some((path, object)) = open.pop() {
            if *object.type_name != *path {
                errors.push(format!(
                    "unexpected type name {:?}, expected {path:?}, which matches field name path from root Object type",
                    object.type_name
                ));
            }
            for (name, value) in &object.fields {
                let path = format!("{path}.{name}");
                let mut values = vec![value];
                while let Some(value) = values.pop() {
                    checked += 1;
                    if checked > MOST_CHECKED {
                        return undetermined(format!(
                            "its result has more than {MOST_CHECKED} values"
                        ));
                    }
                    match value {
                        Value::Constructed(object) => open.push((path.clone(), object)),
                        Value::List(list) if list.depth > 0 => values.extend(&list.items),
                        Value::Map(map) if map.depth > 0 => {
                            values.extend(map.iter().map(|(_, it)| it));
                        }
                        _ => {}
                    }
                }
            }
        }
        match &errors[..] {
            [] => Ok(()),
            errors => failed(format!("type mismatch: {}", errors.join("\n"))),
        }
    }

    /// Converts the fields; `odd` is the error of literals within literals, and of `null`.
    fn to_native(&self, place: Place<'_>, odd: Odd<'_>) -> Evaluated<Json> {
        let fields = self.fields.iter().map(|(name, value)| {
            place.spend(name.len())?;
            let value = match value {
                Value::List(list) if list.depth > 0 => native_list(list, place.below(), odd),
                Value::Map(map) if map.depth > 0 => native_map(map, place.below(), odd),
                value => native(value, place.below(), odd),
            };
            Ok(((**name).to_owned(), value?))
        });
        Ok(Json::Object(fields.collect::<Evaluated<JsonMap<String, Json>>>()?))
    }
}

/// The error of values that an API server does not convert.
type Odd<'o> = &'o dyn Fn() -> Evaluated<Json>;

fn unmarshalable(value: &Value) -> String {
    let name = value.type_name();
    format!(
        "JSONPath valueExpression evaluated to a type that could not marshal to JSON: invalid type in {name}"
    )
}

/// Reports whether Go quotes a character in a way that JSON does not have.
fn is_quoted_otherwise(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t') || character > '\u{ffff}'
}

fn native_list(list: &List, place: Place<'_>, odd: Odd<'_>) -> Evaluated<Json> {
    let items = list.items.iter().map(|it| native(it, place, odd));
    Ok(Json::Array(items.collect::<Evaluated<_>>()?))
}

fn native_map(map: &Map, place: Place<'_>, odd: Odd<'_>) -> Evaluated<Json> {
    let entries = map.iter().map(|(key, value)| match key {
        Value::String(key) => {
            place.spend(key.len())?;
            Ok(((**key).to_owned(), native(value, place, odd)?))
        }
        key => failed(format!("map key \"{}\" is not a string", excerpt(key))),
    });
    Ok(Json::Object(entries.collect::<Evaluated<JsonMap<String, Json>>>()?))
}

/// Converts a value like `Value()` of cel-go: of literals, only the outermost list or map is converted.
fn native(value: &Value, place: Place<'_>, odd: Odd<'_>) -> Evaluated<Json> {
    match value {
        Value::Constructed(object) if place.depth < DEEPEST => object.to_native(place, odd),
        Value::List(list) if list.depth == 0 => json(value, place),
        Value::Map(map) if map.depth == 0 => json(value, place),
        Value::Bool(_) | Value::String(_) => json(value, place),
        Value::Int(number) => {
            place.spend(0)?;
            Ok((*number).into())
        }
        Value::Double(number) if number.is_finite() => json(value, place),
        Value::Unknown(_) | Value::Unreadable(_) => json(value, place),
        _ => odd(),
    }
}

/// Converts a value like `ConvertToNative` of cel-go.
fn json(value: &Value, place: Place<'_>) -> Evaluated<Json> {
    if let Some(error) = value.unknown() {
        return Err(error);
    }
    place.spend(if let Value::String(text) = value { text.len() } else { 0 })?;
    if place.depth > DEEPEST {
        return undetermined(format!("the value has more than {DEEPEST} levels"));
    }
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(it) => Json::Bool(*it),
        Value::Int(it) if (-SAFE..=SAFE).contains(it) => (*it).into(),
        Value::Uint(it) if i64::try_from(*it).is_ok_and(|it| it <= SAFE) => (*it).into(),
        Value::Int(_) | Value::Uint(_) => Json::String(value.to_string()),
        Value::Double(it) if it.is_finite() => {
            whole(*it).map_or_else(|| Json::from(*it), Json::from)
        }
        Value::String(text) => Json::String((**text).to_owned()),
        Value::Timestamp(_) | Value::Duration(_) => Json::String(value.to_string()),
        Value::List(list) => {
            let items = list.items.iter().map(|it| json(it, place.below()));
            Json::Array(items.collect::<Evaluated<_>>()?)
        }
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| match key {
                Value::String(key) => {
                    place.spend(key.len())?;
                    Ok(((**key).to_owned(), json(value, place.below())?))
                }
                key => failed(format!("map key \"{}\" is not a string", excerpt(key))),
            });
            Json::Object(entries.collect::<Evaluated<JsonMap<String, Json>>>()?)
        }
        Value::Optional(Some(inner)) => return json(inner, place.below()),
        Value::Optional(None) => return failed("optional.none() dereference"),
        Value::Double(_) | Value::Type(_) => return failed(unmarshalable(value)),
        _ => return undetermined(UNCOMMON),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use crate::{
        Activation, CompileError, Environment, EvaluationError, Expression, ResultType, Value,
    };

    const TYPES: [ResultType; 2] = [ResultType::Object, ResultType::JsonPatches];

    fn compile(text: &str) -> Result<Expression, CompileError> {
        let environment = Environment::admission().with_patch_types();
        Expression::compile_as(text, &[ResultType::Object], &environment)
            .or_else(|_| Expression::compile_as(text, &TYPES[1..], &environment))
    }

    fn activation() -> Activation<'static> {
        let object = json!({"spec": {"replicas": 3, "list": [1, {"a": [null]}]}});
        Activation::new().bind("object", Value::from_json(&object))
    }

    /// Returns the JSON of the result: an object, or operations.
    fn json_of(text: &str) -> Result<serde_json::Value, EvaluationError> {
        let Ok(expression) = compile(text) else { unreachable!("{text} is invalid") };
        let value = expression.evaluate(&activation())?;
        if let Value::Constructed(_) = value {
            return value.to_configuration();
        }
        let operations = value.to_operations()?;
        Ok(operations.iter().map(|it| json!([it.op, it.path, it.from, it.value])).collect())
    }

    #[rstest]
    #[case::empty("Object{}", json!({}))]
    #[case::nested("Object{spec: Object.spec{replicas: 1 + 2}}", json!({"spec": {"replicas": 3}}))]
    #[case::leading_dot(".Object{a: 1.5}", json!({"a": 1.5}))]
    #[case::elements(
        "Object{l: [Object.l{n: 'x', ?m: optional.none()}, Object.l{n: 'y'}]}",
        json!({"l": [{"n": "x"}, {"n": "y"}]})
    )]
    #[case::map("Object{labels: {'a/b': 'c'}}", json!({"labels": {"a/b": "c"}}))]
    #[case::optional("Object{?a: object.?none, ?b: object.spec.?replicas}", json!({"b": 3}))]
    #[case::zero("Object{?a: optional.ofNonZeroValue(Object.a{}), b: 1}", json!({"b": 1}))]
    #[case::of_the_object("Object{l: object.spec.list, m: object.spec}", json!({
        "l": [1, {"a": [null]}], "m": {"replicas": 3, "list": [1, {"a": [null]}]},
    }))]
    #[case::condition("object.spec.replicas > 2 ? Object{a: true} : Object{}", json!({"a": true}))]
    #[case::patch(
        "[JSONPatch{op: 'add', path: '/a', value: 3}, JSONPatch{op: 'move', from: '/b', path: '/c'}]",
        json!([["add", "/a", "", 3], ["move", "/c", "/b", null]])
    )]
    #[case::patch_of_an_object(
        "[JSONPatch{op: 'add', path: '/a', value: Object.spec.l{a: 1, b: [1], c: {'a': 'b'}}}]",
        json!([["add", "/a", "", {"a": 1, "b": [1], "c": {"a": "b"}}]])
    )]
    #[case::patch_of_literals(
        "[JSONPatch{op: 'test', path: '/a', value: [{'a': [null]}]}]",
        json!([["test", "/a", "", [{"a": [null]}]]])
    )]
    #[case::patch_of_numbers(
        "[JSONPatch{op: 'add', path: '/a', value: [9007199254740993, 9007199254740991]}, JSONPatch{value: 2.0}]",
        json!([["add", "/a", "", ["9007199254740993", 9_007_199_254_740_991_i64]], ["", "", "", 2]])
    )]
    #[case::sum_of_patches(
        "[JSONPatch{op: 'remove', path: '/a'}] + (true ? [JSONPatch{op: 'x'}] : [])",
        json!([["remove", "/a", "", null], ["x", "", "", null]])
    )]
    #[case::macro_of_patches(
        "[1, 2].map(i, JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey('~/' + string(i)), value: i})",
        json!([["add", "/~0~11", "", 1], ["add", "/~0~12", "", 2]])
    )]
    fn created_objects_have_json(#[case] text: &str, #[case] expected: serde_json::Value) {
        assert_eq!(json_of(text).unwrap(), expected);
    }

    #[rstest]
    #[case::type_name(
        "Object{spec: Object.spec{a: Object.b{}}}",
        "type mismatch: unexpected type name \"Object.b\", expected \"Object.spec.a\", which matches field name path from root Object type"
    )]
    #[case::type_name_of_an_element("Object{l: [Object.m{}]}", "type mismatch")]
    #[case::type_name_in_a_patch(
        "[JSONPatch{op: 'add', value: Object.a{b: Object.b{}}}]",
        "type mismatch"
    )]
    #[case::key("Object{l: {1: 'a'}}", "is not a string")]
    #[case::field_of_a_patch(
        "[JSONPatch{op: dyn(1)}]",
        "unexpected type int for JSONPatchType 'op' field"
    )]
    #[case::unknown_field_of_a_patch(
        "[JSONPatch{ops: dyn('a')}]",
        "unexpected JSONPatchType field: ops"
    )]
    #[case::not_optional(
        "Object{?a: object.spec.replicas}",
        "cannot initialize optional entry 'a' from non-optional value 3"
    )]
    #[case::operand("Object{a: object.b}", "no such key: b")]
    #[case::null_in_an_object(
        "[JSONPatch{op: 'add', value: Object.a{b: null}}]",
        "could not marshal"
    )]
    fn wrong_objects_fail(#[case] text: &str, #[case] expected: &str) {
        let error = json_of(text).unwrap_err();
        assert!(matches!(error, EvaluationError::Failed(_)), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[rstest]
    #[case::compared("[JSONPatch{op: Object{} == Object{} ? 'a' : 'b'}]")]
    #[case::null("Object{a: null}")]
    #[case::literal_in_a_literal("Object{a: {'b': {'c': 'd'}}}")]
    #[case::object_in_a_list("[JSONPatch{op: 'add', value: [Object.a{}]}]")]
    #[case::control_character("[JSONPatch{op: 'add', path: '/\\a'}]")]
    fn uncommon_objects_are_undetermined(#[case] text: &str) {
        let error = json_of(text).unwrap_err();
        assert!(matches!(error, EvaluationError::Undetermined(_)), "{error:?}");
    }

    #[rstest]
    #[case::other_type("Invalid{}", "undeclared reference to 'Invalid'")]
    #[case::scalar("string{}", "'string' is not a message type")]
    #[case::field(
        "[JSONPatch{op: 1}]",
        "expected type of field 'op' is 'string' but provided type is 'int'"
    )]
    #[case::null(
        "[JSONPatch{op: null}]",
        "expected type of field 'op' is 'string' but provided type is 'null'"
    )]
    #[case::unknown_field(
        "[JSONPatch{ops: 'a'}]",
        "expected type of field 'ops' is '' but provided type is 'string'"
    )]
    #[case::optional("Object{?a: 1}", "expected type 'optional_type(int)' but found 'int'")]
    #[case::nested("Object.spec{}", "must evaluate to list(JSONPatch) but got Object.spec")]
    #[case::dynamic("object", "must evaluate to list(JSONPatch) but got dyn")]
    #[case::empty_list("[]", "must evaluate to list(JSONPatch) but got list(dyn)")]
    #[case::one_patch("JSONPatch{}", "must evaluate to list(JSONPatch) but got JSONPatch")]
    #[case::branches("true ? Object{} : Object.a{}", "found no matching overload for '_?_:_'")]
    #[case::elements(
        "Object{l: [Object.l{}, Object.m{}]}",
        "expected type 'Object.l' but found 'Object.m'"
    )]
    fn invalid_objects_are_refused(#[case] text: &str, #[case] expected: &str) {
        let error = compile(text).unwrap_err();
        assert!(matches!(error, CompileError::Type { .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[rstest]
    #[case::field("Object{a: Object{b: 1}.b}")]
    #[case::type_of_a_field("Object{a: google.protobuf.Timestamp{}}")]
    fn unsupported_objects_are_not_compiled(#[case] text: &str) {
        let error = compile(text).unwrap_err();
        assert!(matches!(error, CompileError::Unsupported { .. }), "{error:?}");
    }

    #[rstest]
    #[case::object("Object{}", "undeclared reference to 'Object'")]
    #[case::patch("[JSONPatch{}]", "undeclared reference to 'JSONPatch'")]
    #[case::escape("jsonpatch.escapeKey('a')", "jsonpatch.escapeKey is not supported")]
    fn only_mutations_have_patch_types(#[case] text: &str, #[case] expected: &str) {
        let error = Expression::compile(text, &Environment::admission()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[rstest]
    #[case::object("Object{}", 40)]
    #[case::nested("Object{a: Object.a{b: 1}, c: [1]}", 80)]
    #[case::list("[JSONPatch{op: 'a'}]", 50)]
    #[case::failed("Object{a: object.b, c: Object.c{}}", 42)]
    fn objects_have_the_cost_of_kubernetes(#[case] text: &str, #[case] expected: u64) {
        let (expression, activation) = (compile(text).unwrap(), activation());
        _ = expression.evaluate(&activation);
        assert_eq!(activation.spent(), expected);
    }

    #[test]
    fn parts_that_are_not_known_make_the_object_undetermined() {
        let object = Value::from_json(&json!({"a": {"b": 1}}));
        let object = object.with_unknown(&[("/a/c".to_owned(), "x".into())]);
        let activation = Activation::new().bind("object", object);
        let evaluate = |text| compile(text).unwrap().evaluate(&activation).unwrap();
        let error = evaluate("Object{a: object.a}").to_configuration().unwrap_err();
        assert_eq!(error, EvaluationError::Undetermined("x".to_owned()));
        let part = evaluate("Object{a: object.a.b}").to_configuration();
        assert_eq!(part.unwrap(), json!({"a": 1}));
    }

    #[test]
    fn deeply_nested_json_is_undetermined() {
        let text = format!("{}1{}", "[".repeat(9_000), "]".repeat(9_000));
        let activation = Activation::new().bind("object", Value::from_text(&text));
        let value = compile("Object{a: object}").unwrap().evaluate(&activation).unwrap();
        assert!(matches!(value.to_configuration(), Err(EvaluationError::Undetermined(_))));
    }

    #[rstest]
    #[case::text("[JSONPatch{value: [object, object].map(a, [a, a, a, a, a])}]")]
    #[case::lists(&format!("[JSONPatch{{value: {}object{}}}]", "[1,1,1,1].map(a, ".repeat(6), ")".repeat(6)))]
    #[case::objects("[1, 2, 3, 4, 5, 6, 7, 8, 9].map(a, JSONPatch{value: Object{a: object}})")]
    fn large_json_is_undetermined(#[case] expression: &str) {
        let object = Value::from_json(&json!("x".repeat(1 << 20)));
        let activation = Activation::new().bind("object", object);
        let value = compile(expression).unwrap().evaluate(&activation).unwrap();
        let error = value.to_operations().unwrap_err();
        assert!(error.to_string().contains("more than 8388608 bytes"), "{error}");
    }
}
