// SPDX-License-Identifier: Apache-2.0
use garden_gate_cel::{Activation, Environment, Expression, Value};

/// Evaluates an expression on a JSON object in the first line; the other lines are the expression.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let (object, text) = text.split_once('\n').unwrap_or(("null", text));
    let object: serde_json::Value = serde_json::from_str(object).unwrap_or_default();
    let environment = Environment::admission().with_params();
    let Ok(expression) = Expression::compile(text, &environment) else {
        return;
    };
    let object = Value::from_json(&object);
    let evaluate = || {
        let activation =
            Activation::new().bind("object", object.clone()).bind("params", object.clone());
        let result = expression.evaluate(&activation);
        let printed = result.map_or_else(|it| it.to_string(), |it| it.to_string());
        (printed, activation.spent())
    };
    assert_eq!(evaluate(), evaluate());
}
