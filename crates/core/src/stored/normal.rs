// SPDX-License-Identifier: Apache-2.0
use serde_json::{Map, Value};

use garden_gate_model::api::{Object, Presence, Shape};
use garden_gate_text::go::{Quantity, go_duration, parse_duration, whole};

/// Normalizes an object as Gardener's API server does when it decodes and encodes the object.
///
/// Optional fields without a value and empty lists are dropped, and required fields are added. Durations and quantities
/// get their canonical form. Values of a wrong type are not changed.
pub(super) fn normalise(object: &Object, value: &mut Value) {
    let Value::Object(fields) = value else {
        return;
    };
    let mut dropped = Vec::new();
    for (name, value) in fields.iter_mut() {
        let Some(field) = object.field(name) else {
            continue;
        };
        normalise_value(field.shape, value);
        if field.presence == Presence::Optional && is_dropped(field.shape, value) {
            dropped.push(field.name);
        }
    }
    for name in dropped {
        fields.remove(name);
    }
    for field in object.fields {
        if field.presence != Presence::Optional
            && fields.get(field.name).is_none_or(Value::is_null)
            && let Some(zero) = zero(field.shape)
        {
            fields.insert(field.name.to_owned(), zero);
        }
    }
}

fn normalise_value(shape: Shape, value: &mut Value) {
    let written = match (shape, &mut *value) {
        (Shape::Object(object), value) => return normalise(object, value),
        (Shape::List(item, _), Value::Array(items)) => {
            return items.iter_mut().for_each(|it| normalise_value(*item, it));
        }
        (Shape::Map(inner), Value::Object(entries)) => {
            return entries.values_mut().for_each(|it| match (inner, &it) {
                (Shape::String, Value::Null) => *it = "".into(),
                _ => normalise_value(*inner, it),
            });
        }
        (Shape::Duration, Value::String(text)) => parse_duration(text).ok().map(go_duration),
        (Shape::Quantity, Value::String(text)) => printed(text),
        (Shape::Quantity, Value::Number(number)) => printed(&number.to_string()),
        (Shape::Number, Value::Number(number)) => {
            if let Some(whole) = number.as_f64().and_then(whole) {
                *number = whole.into();
            }
            return;
        }
        _ => None,
    };
    if let Some(written) = written {
        *value = Value::String(written);
    }
}

fn printed(quantity: &str) -> Option<String> {
    let quantity = Quantity::parse(quantity).ok();
    quantity.map(|quantity| quantity.to_string())
}

/// Reports whether an optional field with this value is omitted.
fn is_dropped(shape: Shape, value: &Value) -> bool {
    match (shape, value) {
        (_, Value::Null) => true,
        (Shape::List(..), Value::Array(items)) => items.is_empty(),
        (Shape::Map(_), Value::Object(entries)) => entries.is_empty(),
        _ => false,
    }
}

/// Returns the zero value of a field; `None` if it is unknown.
fn zero(shape: Shape) -> Option<Value> {
    Some(match shape {
        Shape::String => "".into(),
        Shape::Boolean => false.into(),
        Shape::Integer32 | Shape::Integer64 | Shape::Number => 0.into(),
        Shape::Object(object) => {
            let mut value = Value::Object(Map::new());
            normalise(object, &mut value);
            value
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::normalise_value;
    use garden_gate_model::api::Shape;

    #[rstest]
    #[case::nothing(json!(0.0), json!(0))]
    #[case::whole(json!(-2.0), json!(-2))]
    #[case::a_part(json!(0.5), json!(0.5))]
    #[case::a_whole_number(json!(7), json!(7))]
    #[case::too_large(json!(1e30), json!(1e30))]
    #[case::no_number(json!("0.0"), json!("0.0"))]
    fn numbers_are_written_as_go_does(#[case] mut value: Value, #[case] written: Value) {
        normalise_value(Shape::Number, &mut value);
        assert_eq!(value, written);
    }
}
