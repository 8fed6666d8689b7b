// SPDX-License-Identifier: Apache-2.0
//! Random values of a field: allowed by the field table, at the limits, and beyond.

use garden_gate_model::api::{Constraint, Field, Format, Object, Shape};
use serde_json::{Map, Value, json};

use crate::parity::corpus::escaped;
use crate::random::Random;

/// Maximum depth of generated objects.
const DEEPEST: usize = 2;

/// Returns a random path of the table, with `[]` for any item of a list, and a value.
pub(crate) fn pick(object: &'static Object, random: &mut Random) -> (String, Value) {
    let mut place = String::new();
    let mut at = object;
    loop {
        let field = random.pick(at.fields);
        place = format!("{place}/{}", escaped(field.name));
        let (mut shape, mut is_inside) = (field.shape, false);
        while let Some((step, inner)) = inside(shape, random) {
            place += &step;
            (shape, is_inside) = (inner, true);
        }
        match shape {
            Shape::Object(inner) if !inner.fields.is_empty() && random.below(8) > 0 => at = inner,
            _ if is_inside => return (place, of_shape(shape, random, 0)),
            _ => return (place, of_field(field, random, 0)),
        }
    }
}

/// Returns a value next to another one: the other boolean, or a number, also one in a string, plus or minus one.
pub(crate) fn next_to(value: &Value, random: &mut Random) -> Option<Value> {
    let step = *random.pick(&[-1, 1]);
    match value {
        Value::Bool(it) => Some(json!(!it)),
        Value::Number(number) => Some(json!(number.as_i64()?.checked_add(step)?)),
        Value::String(text) => {
            let numbers = text.split(|it: char| !it.is_ascii_digit());
            let numbers: Vec<&str> = numbers.filter(|it| !it.is_empty()).collect();
            if numbers.is_empty() {
                return None;
            }
            let number = random.pick(&numbers);
            let other = number.parse::<i64>().ok()?.checked_add(step)?;
            Some(json!(text.replacen(number, &other.to_string(), 1)))
        }
        _ => None,
    }
}

/// Usually descends into a list or a map.
fn inside(shape: Shape, random: &mut Random) -> Option<(String, Shape)> {
    let goes_on = random.below(8) > 0;
    match shape {
        Shape::List(inner, _) if goes_on => Some(("/[]".to_owned(), *inner)),
        Shape::Map(inner) if goes_on => {
            let key = *random.pick(&["a", "example.com/a", "A b", ""]);
            Some((format!("/{}", escaped(key)), *inner))
        }
        _ => None,
    }
}

/// Returns a value of a field, usually one that is relevant for a constraint.
fn of_field(field: &Field, random: &mut Random, depth: usize) -> Value {
    if !field.constraints.is_empty() && random.below(4) > 0 {
        let value = of_constraint(*random.pick(field.constraints), field.shape, random);
        if let Some(value) = value {
            return value;
        }
    }
    of_shape(field.shape, random, depth)
}

fn of_constraint(constraint: Constraint, shape: Shape, random: &mut Random) -> Option<Value> {
    let near = |bound: f64, random: &mut Random| {
        let number = bound + *random.pick(&[-1.0, 0.0, 1.0]);
        match shape {
            Shape::Integer32 | Shape::Integer64 | Shape::IntOrString => {
                json!(number.trunc().to_string().parse::<i64>().ok())
            }
            Shape::Duration => json!(format!("{number}s")),
            Shape::Quantity => json!(number.to_string()),
            _ => json!(number),
        }
    };
    Some(match constraint {
        Constraint::Enum(words) => match random.below(4) {
            0 => json!("Other"),
            _ => json!(random.pick(words)),
        },
        Constraint::AtLeast(bound) | Constraint::AtMost(bound) | Constraint::Below(bound) => {
            near(bound, random)
        }
        Constraint::Positive => near(0.0, random),
        Constraint::LastsAtLeast(bound) | Constraint::LastsAtMost(bound) => near(bound, random),
        Constraint::Format(format) => json!(random.pick(samples(format))),
        Constraint::MaxBytes(bytes) => json!("a".repeat(bytes + random.below(2))),
        Constraint::Distinct | Constraint::DistinctBy(_) => {
            let Shape::List(inner, _) = shape else {
                return None;
            };
            let item = of_shape(*inner, random, 1);
            json!([item, item])
        }
        _ => return None,
    })
}

/// Valid and invalid values of a format.
fn samples(format: Format) -> &'static [&'static str] {
    match format {
        Format::DnsLabel | Format::DnsSubdomain | Format::DnsSubdomainOrNothing => {
            &["abc", "a.b", "A", "a_b", "-a", "a-", "1a", ""]
        }
        Format::LabelKey | Format::LabelValue => {
            &["a", "a/b", "A.b_c", "-a", "a b", "/", "", "a/b/c"]
        }
        Format::Cidr => {
            &["10.0.0.0/16", "10.0.0.1/16", "10.0.0.0", "10.0.0.0/33", "2001:db8::/64", "x", ""]
        }
        Format::Gibibytes => &["50Gi", "50G", "0Gi", "-1Gi", "1.5Gi", "50"],
        Format::Amount => &["0", "1", "200Mi", "-1", "1.5", "100m", "-0"],
        Format::AmountOrPercent => &["5%", "100%", "101%", "-1%", "200Mi", "-1"],
        Format::Pem => &["x", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", ""],
        Format::Email => &["me@example.com", "me", "@", "Me <me@example.com>", "a@b", ""],
        Format::PositiveInteger => &["1", "0", "-1", "a", "01"],
        Format::WithoutComma => &["a", "a,b", ",", ""],
        Format::ResourceName | Format::ApiGroup => {
            &["configmaps", "a.b", "A", "a,b", "a b", "a#b", "*"]
        }
    }
}

fn of_shape(shape: Shape, random: &mut Random, depth: usize) -> Value {
    let texts = ["", "a", "x.y", "A b", "1.34.7", "garden-dev"];
    match shape {
        Shape::String => json!(random.pick(&texts)),
        Shape::Boolean => json!(random.below(2) == 0),
        Shape::Integer32 | Shape::Integer64 => json!(random.pick(&[-1, 0, 1, 2, 10, 100, 65_536])),
        Shape::Number => json!(random.pick(&[-1.0, 0.0, 0.5, 1.0, 2.0])),
        Shape::Time => json!(random.pick(&["2026-01-31T12:00:00Z", "2099-01-31T12:00:00Z"])),
        Shape::Duration => json!(random.pick(&["0s", "-1s", "1s", "5m", "1h0m0s", "48h", "2160h"])),
        Shape::Quantity => json!(random.pick(&["0", "-1", "1", "100m", "1Gi", "50Gi"])),
        Shape::IntOrString => random
            .pick(&[json!(0), json!(1), json!(-1), json!("10%"), json!("110%"), json!("x")])
            .clone(),
        Shape::Any => random.pick(&[json!({}), json!({"apiVersion": "x/v1", "kind": "X"})]).clone(),
        Shape::Object(object) => of_object(object, random, depth),
        Shape::List(inner, _) => {
            let items = (0..random.below(3)).map(|_| of_shape(*inner, random, depth + 1));
            items.collect()
        }
        Shape::Map(inner) => match random.below(2) {
            0 => json!({}),
            _ => json!({"a": of_shape(*inner, random, depth + 1)}),
        },
    }
}

/// Returns an object with required fields, and a few others.
fn of_object(object: &'static Object, random: &mut Random, depth: usize) -> Value {
    let mut fields = Map::new();
    if depth > DEEPEST {
        return Value::Object(fields);
    }
    for field in object.fields {
        let is_wanted = match field.presence {
            garden_gate_model::api::Presence::Required => random.below(6) > 0,
            _ => random.below(6) == 0,
        };
        if is_wanted {
            fields.insert(field.name.to_owned(), of_field(field, random, depth + 1));
        }
    }
    Value::Object(fields)
}

#[test]
fn next_value_is_one_away() {
    let mut random = Random::of_case(1);
    for (value, expected) in [
        (json!(true), vec![json!(false)]),
        (json!(7), vec![json!(6), json!(8)]),
        (json!("50Gi"), vec![json!("49Gi"), json!("51Gi")]),
        (json!("1.33"), vec![json!("0.33"), json!("2.33"), json!("1.32"), json!("1.34")]),
        (json!("a"), vec![]),
        (json!(0.5), vec![]),
        (json!(i64::MAX), vec![json!(i64::MAX - 1)]),
    ] {
        let next: Vec<Value> = (0..100).filter_map(|_| next_to(&value, &mut random)).collect();
        assert!(expected.iter().all(|it| next.contains(it)), "{value}");
        assert!(next.iter().all(|it| expected.contains(it)), "{value}: {next:?}");
    }
}
