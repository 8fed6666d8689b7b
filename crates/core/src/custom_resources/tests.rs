// SPDX-License-Identifier: Apache-2.0
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::decoding::Decoded;
use super::validation::validated;
use crate::admission::Request;
use garden_gate_model::api::{Definition, Kind, UserInfo};

/// Returns a definition whose objects have this schema in `spec`.
fn definition(spec: &Value, status: &Value) -> &'static Definition {
    let schema = json!({
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
            "spec": spec, "status": status,
        },
    });
    let definition = json!({"spec": {"versions": [{
        "name": "v1alpha1", "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema},
    }]}});
    Box::leak(Box::new(Definition::of_text(Kind::Garden, &definition.to_string()).unwrap()))
}

fn object(spec: &Value) -> String {
    json!({"metadata": {"name": "a"}, "spec": spec}).to_string()
}

/// Returns what is wrong with a write: unknown fields, violations and undetermined fields.
fn judged(
    definition: &'static Definition,
    [old, new]: [Option<&str>; 2],
    sub_resource: &str,
) -> Vec<String> {
    let raw = |text: Option<&str>| {
        text.map(|it| serde_json::value::RawValue::from_string(it.to_owned()).unwrap())
    };
    let [old, new] = [raw(old), raw(new)];
    let objects = [new.as_deref(), old.as_deref()];
    let mut request = Request::of_objects(Kind::Garden, UserInfo::default(), objects);
    request.sub_resource = sub_resource.to_owned();
    let decoded = Decoded::of(definition, &request).unwrap();
    let unknown = decoded.unknown.iter().map(|it| format!("{}: unknown", it.path));
    let repeated = decoded.repeated.iter().map(|(path, _, count)| format!("{path}: {count} times"));
    let mut found: Vec<String> = unknown.chain(repeated).collect();
    let validated = validated(&decoded, definition);
    for it in validated.form.first.iter().chain(&validated.rules.first) {
        found.push(format!("{}: {:?}", it.path, it.error));
    }
    found.extend(validated.undetermined.iter().map(|(path, _)| format!("{path}: undetermined")));
    found
}

fn created(schema: &Value, spec: &Value) -> Vec<String> {
    judged(definition(schema, &json!({})), [None, Some(&object(spec))], "")
}

fn updated(schema: &Value, [old, new]: [&Value; 2]) -> Vec<String> {
    judged(
        definition(schema, &json!({})),
        [old, new].map(|it| Some(object(it))).each_ref().map(|it| it.as_deref()),
        "",
    )
}

const NONE: &[&str] = &[];

#[rstest]
#[case::right_type(json!({"type": "string"}), json!("a"), NONE)]
#[case::wrong_type(json!({"type": "string"}), json!(1), &["spec: TypeInvalid"])]
#[case::whole_number_of_a_fraction(json!({"type": "integer"}), json!(1.0), NONE)]
#[case::fraction(json!({"type": "integer"}), json!(1.5), &["spec: TypeInvalid", "spec: Invalid"])]
#[case::integer_as_number(json!({"type": "number"}), json!(1), NONE)]
#[case::list_with_a_format_of_strings(json!({"type": "string", "format": "date-time"}), json!([]), NONE)]
#[case::ignored_format(json!({"type": "string", "format": "anything"}), json!("a"), NONE)]
#[case::date_time(json!({"type": "string", "format": "date-time"}), json!("a"), &["spec: TypeInvalid"])]
#[case::unknown_format(json!({"type": "string", "format": "uri"}), json!("a"), &["spec: undetermined"])]
#[case::range_of_a_format(json!({"type": "integer", "format": "int32"}), json!(2_147_483_648_i64), &["spec: Invalid"])]
#[case::null_is_removed(json!({"type": "string"}), json!(null), NONE)]
#[case::null_in_a_list(json!({"type": "array", "items": {"type": "string"}}), json!([null]), &["spec[0]: TypeInvalid"])]
#[case::nullable_in_a_list(json!({"type": "array", "items": {"type": "string", "nullable": true}}), json!([null]), NONE)]
#[case::enumeration(json!({"type": "string", "enum": ["a"]}), json!("b"), &["spec: NotSupported"])]
#[case::too_short(json!({"type": "string", "minLength": 2}), json!("ä"), &["spec: Invalid"])]
#[case::too_long(json!({"type": "string", "maxLength": 1}), json!("ab"), &["spec: TooLong"])]
#[case::pattern(json!({"type": "string", "pattern": "^(us|µs)$"}), json!("ms"), &["spec: Invalid"])]
#[case::unknown_pattern(json!({"type": "string", "pattern": "(?i)µ"}), json!("a"), &["spec: undetermined"])]
#[case::minimum(json!({"type": "integer", "minimum": 1}), json!(0), &["spec: Invalid"])]
#[case::exclusive_maximum(json!({"type": "number", "maximum": 1, "exclusiveMaximum": true}), json!(1.0), &["spec: Invalid"])]
#[case::multiple(json!({"type": "integer", "multipleOf": 3}), json!(4), &["spec: Invalid"])]
#[case::few_items(json!({"type": "array", "minItems": 1}), json!([]), &["spec: Invalid"])]
#[case::many_items(json!({"type": "array", "maxItems": 1}), json!([1, 1]), &["spec: TooMany"])]
#[case::equal_items(json!({"type": "array", "uniqueItems": true, "items": {"x-kubernetes-preserve-unknown-fields": true}}), json!([{"a": 1}, {"a": 1}]), &["spec: Invalid"])]
#[case::equal_items_but_for_the_type(json!({"type": "array", "uniqueItems": true}), json!([1, 1.0]), NONE)]
#[case::required(json!({"type": "object", "required": ["a"]}), json!({}), &["spec.a: Required"])]
#[case::required_with_default(json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "default": ""}}}), json!({"a": null}), NONE)]
#[case::invalid_default(json!({"type": "object", "properties": {"a": {"type": "string", "default": "", "minLength": 1}}}), json!({}), &["spec.a: Invalid"])]
#[case::default_in_items(json!({"type": "array", "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "default": 1}}}}), json!([{}]), NONE)]
#[case::unknown(json!({"type": "object", "properties": {}}), json!({"a": 1}), &["spec.a: unknown"])]
#[case::unknown_below_another_type(json!({"type": "array", "items": {"type": "string"}}), json!({"a": 1}), &["spec.a: unknown", "spec: TypeInvalid"])]
#[case::unknown_in_a_scalar(json!({"type": "array", "items": {"type": "string"}}), json!([[{"a": 1}]]), &["spec[0][0].a: unknown", "spec[0]: TypeInvalid"])]
#[case::kept_unknown(json!({"x-kubernetes-preserve-unknown-fields": true}), json!({"a": {"b": 1}}), NONE)]
#[case::unknown_below_a_known_field(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "object"}}}), json!({"a": {"b": 1}, "c": {}}), &["spec.a.b: unknown"])]
#[case::map(json!({"type": "object", "additionalProperties": {"type": "string"}}), json!({"a.b/c": 1}), &["spec.a.b/c: TypeInvalid"])]
#[case::int_or_string(json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+$"}), json!(true), &["spec: TypeInvalid", "spec: Invalid", "spec: TypeInvalid"])]
#[case::int_of_int_or_string(json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+$"}), json!(-1), NONE)]
#[case::one_of(json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}}), json!({"a": 1, "b": 1}), &["spec: Invalid"])]
#[case::not(json!({"type": "string", "not": {"enum": ["a"]}}), json!("a"), &["spec: Invalid"])]
#[case::set(json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}), json!(["a", "a", "a"]), &["spec[1]: Duplicate"])]
#[case::keys(json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "properties": {"k": {"type": "string"}}}}), json!([{"k": "a"}, {"k": "b"}, {"k": "a"}]), &["spec[2]: Duplicate"])]
#[case::rule(json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self > 1", "message": "more"}]}), json!(1), &["spec: Invalid"])]
#[case::rule_after_an_invalid_type(json!({"type": "object", "properties": {"a": {"type": "string"}}, "x-kubernetes-validations": [{"rule": "false"}]}), json!({"a": 1}), &["spec.a: TypeInvalid"])]
#[case::rule_of_escaped_names(json!({"type": "object", "properties": {"a-b": {"type": "integer"}}, "x-kubernetes-validations": [{"rule": "self.a__dash__b == 1", "fieldPath": ".a-b", "reason": "FieldValueForbidden"}]}), json!({"a-b": 2}), &["spec.a-b: Forbidden"])]
#[case::number_is_a_double(json!({"type": "number", "x-kubernetes-validations": [{"rule": "self / 2.0 == 0.5"}]}), json!(1), NONE)]
#[case::transition_without_old(json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}), json!("a"), NONE)]
#[case::optional_old(json!({"type": "string", "x-kubernetes-validations": [{"rule": "oldSelf.hasValue()", "optionalOldSelf": true}]}), json!("a"), &["spec: Invalid"])]
#[case::rule_that_fails(json!({"type": "object", "x-kubernetes-validations": [{"rule": "self.a == 1"}]}), json!({}), &["spec: Invalid"])]
#[case::rule_about_a_set(json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}, "x-kubernetes-validations": [{"rule": "true"}]}), json!([]), &["spec: undetermined"])]
#[case::rule_without_end(json!({"type": "array", "items": {"type": "integer"}, "x-kubernetes-validations": [{"rule": "self.all(a, self.all(b, self.all(c, a + b + c > 0)))"}, {"rule": "false"}]}), json!(vec![1; 300]), &["spec: Invalid"])]
fn created_object(#[case] schema: Value, #[case] spec: Value, #[case] expected: &[&str]) {
    assert_eq!(created(&schema, &spec), expected);
}

fn names(inner: &Value) -> Value {
    json!({"type": "object", "properties": {"a": inner, "b": {"type": "integer"}}})
}

#[rstest]
#[case::unchanged(names(&json!({"type": "string", "minLength": 9})), json!({"a": "x", "b": 1}), json!({"a": "x", "b": 2}), NONE)]
#[case::changed(names(&json!({"type": "string", "minLength": 9})), json!({"a": "x"}), json!({"a": "y"}), &["spec.a: Invalid"])]
#[case::added(names(&json!({"type": "string", "minLength": 9})), json!({}), json!({"a": "y"}), &["spec.a: Invalid"])]
#[case::required_stays_absent(json!({"type": "object", "required": ["c"], "properties": {"b": {"type": "integer"}}}), json!({"b": 1}), json!({"b": 1}), NONE)]
#[case::required_beside_a_change(json!({"type": "object", "required": ["c"], "properties": {"b": {"type": "integer"}}}), json!({"b": 1}), json!({"b": 2}), &["spec.c: Required"])]
#[case::atomic_list_is_compared_as_a_whole(names(&json!({"type": "array", "items": {"type": "string", "minLength": 9}})), json!({"a": ["x"]}), json!({"a": ["x"], "b": 1}), NONE)]
#[case::item_of_an_atomic_list(names(&json!({"type": "array", "items": {"type": "string", "minLength": 2}})), json!({"a": ["x"]}), json!({"a": ["x", "yy"]}), &["spec.a[0]: Invalid"])]
#[case::item_with_keys(
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "properties": {"k": {"type": "string", "minLength": 2}}}}),
    json!([{"k": "x"}]), json!([{"k": "yy"}, {"k": "x"}]), NONE
)]
#[case::fields_without_schema_count_as_changed(names(&json!({"x-kubernetes-preserve-unknown-fields": true, "type": "object", "required": ["c"]})), json!({"a": {"d": 1}}), json!({"a": {"d": 1}}), &["spec.a.c: Required"])]
#[case::duplicates_stay(json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}), json!(["a", "a"]), json!(["a", "a", "b", "b"]), NONE)]
#[case::alternatives_are_not_ratcheted_alone(names(&json!({"type": "string", "anyOf": [{"minLength": 9}]})), json!({"a": "x", "b": 1}), json!({"a": "x", "b": 2}), NONE)]
#[case::immutable(names(&json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})), json!({"a": "x"}), json!({"a": "y"}), &["spec.a: Invalid"])]
#[case::immutable_and_added(names(&json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})), json!({}), json!({"a": "y"}), NONE)]
#[case::immutable_and_removed(names(&json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})), json!({"a": "x"}), json!({}), NONE)]
#[case::rule_about_an_unchanged_value(names(&json!({"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x'"}]})), json!({"a": "x"}), json!({"a": "x", "b": 1}), NONE)]
#[case::optional_old_has_a_value(names(&json!({"type": "string", "x-kubernetes-validations": [{"rule": "oldSelf.orValue('x') == self", "optionalOldSelf": true}]})), json!({"a": "y"}), json!({"a": "z"}), &["spec.a: Invalid"])]
#[case::item_of_an_atomic_list_has_no_old(names(&json!({"type": "array", "items": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}})), json!({"a": ["x"]}), json!({"a": ["y"]}), NONE)]
fn updated_object(
    #[case] schema: Value,
    #[case] old: Value,
    #[case] new: Value,
    #[case] expected: &[&str],
) {
    assert_eq!(updated(&schema, [&old, &new]), expected);
}

#[test]
fn status_is_written_as_a_subresource_only() {
    let status = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let definition = definition(&json!({"type": "string"}), &status);
    let object = |spec: Value, a: Value| json!({"spec": spec, "status": {"a": a}}).to_string();
    let right = object(json!("x"), json!("x"));
    let judged =
        |new: &str, sub_resource| judged(definition, [Some(&right), Some(new)], sub_resource);
    assert_eq!(judged(&object(json!("x"), json!(1)), ""), NONE);
    assert_eq!(judged(&object(json!("x"), json!(1)), "status"), ["status.a: TypeInvalid"]);
    assert_eq!(judged(&object(json!(1), json!("x")), ""), ["spec: TypeInvalid"]);
    assert_eq!(judged(&object(json!(1), json!("x")), "status"), NONE);
}

#[test]
fn duplicates_are_found_everywhere() {
    let definition = definition(&json!({"x-kubernetes-preserve-unknown-fields": true}), &json!({}));
    let text =
        r#"{"spec": {"a": {"b": 1, "b": 2, "b": 3}}, "metadata": {"labels": {"c": "", "c": ""}}}"#;
    assert_eq!(
        judged(definition, [None, Some(text)], ""),
        ["spec.a.b: 3 times", "metadata.labels.c: 2 times"]
    );
}

#[rstest]
#[case::deep(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)))]
#[case::large_number("1e999")]
fn what_cannot_be_read_is_undetermined(#[case] spec: &str) {
    let definition = definition(&json!({"x-kubernetes-preserve-unknown-fields": true}), &json!({}));
    let text = format!(r#"{{"spec": {spec}}}"#);
    let found = judged(definition, [None, Some(&text)], "");
    assert!(found.len() == 1 && found[0].ends_with("undetermined"), "{found:?}");
}

#[test]
fn violations_are_counted_beyond_the_listed_ones() {
    let schema = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(created(&schema, &json!(vec![1; 10_000])).len(), 250);
}

/// Returns any JSON.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zµ.]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

/// Returns any schema.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^[a-b]"})),
        Just(json!({"type": "integer", "minimum": 0.5, "multipleOf": 0.5, "nullable": true})),
        Just(json!({"type": "number", "maximum": 1, "default": 3, "format": "float"})),
        Just(json!({"type": "string", "format": "date-time", "default": "a"})),
        Just(
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]})
        ),
        Just(json!({"x-kubernetes-preserve-unknown-fields": true})),
        Just(json!({"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let rules = json!([{"rule": "has(self.a) || self.size() > 1", "messageExpression": "string(self)"}]);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(move |(a, b)| json!({
                "type": "object", "required": ["a"], "properties": {"a": a, "b": b},
                "x-kubernetes-validations": rules,
            })),
            inner.clone().prop_map(|it| json!({"type": "object", "additionalProperties": it})),
            inner.clone().prop_map(|it| json!({
                "type": "array", "items": it, "uniqueItems": true, "x-kubernetes-list-type": "set",
            })),
            inner.prop_map(|it| json!({
                "type": "array", "items": it, "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["a"],
            })),
        ]
    })
}

proptest! {
    /// Any objects are judged by any schema, and a repetition of a valid write stays valid.
    #[test]
    fn never_panics(schema in any_schema(), old in any_json(), new in any_json()) {
        let definition = definition(&schema, &schema);
        let [old, new] = [old, new].map(|it| json!({"spec": it.clone(), "status": it}).to_string());
        judged(definition, [Some(&old), Some(&new)], "");
        judged(definition, [Some(&old), Some(&new)], "status");
        judged(definition, [None, Some(&new)], "");
    }
}
