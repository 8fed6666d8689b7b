use serde_json::Value;

/// Whether two JSON values are the same to Kubernetes' semantic equality, as far as JSON shows it.
///
/// An absent field, `null` and an empty list are one thing, and so is an empty label or annotation map; any other
/// empty object differs from an absent one. Numbers are compared by value, list order matters.
#[must_use]
pub fn semantically_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let both = a
                .iter()
                .all(|(field, value)| same_field(field, value, b.get(field)));
            both && b
                .iter()
                .all(|(field, value)| a.contains_key(field) || same_field(field, value, None))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| semantically_equal(a, b))
        }
        // Only a fraction or an exponent can spell a whole number in another way.
        (Value::Number(a), Value::Number(b)) if a.is_f64() != b.is_f64() => {
            a.as_f64() == b.as_f64()
        }
        _ => a == b,
    }
}

fn same_field(field: &str, value: &Value, other: Option<&Value>) -> bool {
    match other {
        Some(other) if !nothing(field, other) => semantically_equal(value, other),
        _ => nothing(field, value),
    }
}

fn nothing(field: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty() && matches!(field, "labels" | "annotations"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::semantically_equal;

    #[rstest]
    #[case::absent_and_null(json!({"a": null}), json!({}), true)]
    #[case::absent_and_empty_list(json!({}), json!({"a": []}), true)]
    #[case::null_and_empty_list(json!({"a": null}), json!({"a": []}), true)]
    #[case::absent_and_empty_labels(json!({"labels": {}}), json!({}), true)]
    #[case::absent_and_empty_struct(json!({"a": {}}), json!({}), false)]
    #[case::numbers_by_value(json!({"a": 1}), json!({"a": 1.0}), true)]
    #[case::exponent(json!({"a": 100}), serde_json::from_str(r#"{"a": 1e2}"#).unwrap(), true)]
    #[case::large_numbers(json!({"a": 9_007_199_254_740_993_u64}), json!({"a": 9_007_199_254_740_992_u64}), false)]
    #[case::order_of_fields(serde_json::from_str(r#"{"a": 1, "b": 2}"#).unwrap(), serde_json::from_str(r#"{"b": 2, "a": 1}"#).unwrap(), true)]
    #[case::number_and_string(json!({"a": 1}), json!({"a": "1"}), false)]
    #[case::order_of_a_list(json!({"a": [1, 2]}), json!({"a": [2, 1]}), false)]
    #[case::nested(json!({"a": {"b": {"c": []}}}), json!({"a": {"b": {}}}), true)]
    fn equality(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(semantically_equal(&a, &b), equal);
        assert_eq!(semantically_equal(&b, &a), equal);
    }
}
