// SPDX-License-Identifier: Apache-2.0
//! Validation of numbers. Mirrors `numberValidator` in `pkg/validation/validate` of `k8s.io/kube-openapi`.

use super::tree::Tree;
use super::violation::{Fault, Violations};
use crate::admission::{ErrorType, FieldPath};
use garden_gate_model::api::{JsonType, Schema};

/// Reports whether a number counts as whole: with a tolerance for results of arithmetic.
pub(super) fn is_whole(number: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if !(-LARGEST..=LARGEST).contains(&number) {
        return false;
    }
    let nearest = number.trunc();
    let difference = (number - nearest).abs();
    let sum = number.abs() + nearest.abs();
    difference == 0.0 || (nearest != 0.0 && difference / sum < TOLERANCE)
}

/// Validates a number; `None` for other values.
pub(super) fn validate<'d>(
    number: &Tree,
    schema: &'d Schema,
    path: &FieldPath,
    violations: &mut Violations<'d>,
) {
    let (float, is_int) = match number {
        #[expect(clippy::cast_precision_loss, reason = "an API server loses it, too")]
        Tree::Int(number) => (*number as f64, true),
        Tree::Double(number) => (*number, false),
        _ => return,
    };
    let mut add = |fault| violations.add(ErrorType::Invalid, path, number, fault);
    if let Some(format) = exceeded_format(float, is_int, schema) {
        add(Fault::Format(format));
    }
    // A limit of an integer loses its fraction.
    let limit = |limit: f64| if is_int { limit.trunc() } else { limit };
    if let Some(factor) = schema.multiple_of
        && !is_multiple(float, limit(factor))
    {
        add(Fault::NotMultiple(factor));
    }
    if let Some(minimum) = schema.minimum {
        let (least, is_exclusive) = (limit(minimum), schema.exclusive_minimum);
        if float < least || is_exclusive && float <= least {
            add(Fault::Below(minimum, is_exclusive));
        }
    }
    if let Some(maximum) = schema.maximum {
        let (most, is_exclusive) = (limit(maximum), schema.exclusive_maximum);
        if float > most || is_exclusive && float >= most {
            add(Fault::Above(maximum, is_exclusive));
        }
    }
}

/// Returns the format whose range a number exceeds.
fn exceeded_format(number: f64, is_int: bool, schema: &Schema) -> Option<&str> {
    let format = schema.format.as_str();
    match (schema.kind?, format) {
        _ if schema.is_int_or_string => None,
        (JsonType::Integer, _) if number.fract() != 0.0 => Some("int64"),
        (JsonType::Integer, "int32") => {
            let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
            (!range.contains(&number)).then_some(format)
        }
        (JsonType::Integer, _) => {
            // 2^63
            let is_in_range = is_int
                || (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
            (!is_in_range).then_some("int64")
        }
        (JsonType::Number, "float") => (number.abs() > f64::from(f32::MAX)).then_some(format),
        _ => None,
    }
}

fn is_multiple(number: f64, factor: f64) -> bool {
    factor > 0.0 && is_whole(if factor < 1.0 { 1.0 / factor * number } else { number / factor })
}
