// SPDX-License-Identifier: Apache-2.0
use super::metadata::{KEY, VALUE};
use super::{MALFORMED, MISSING, Part, UNFITTING};
use crate::admission::Findings;
use garden_gate_text::go::{label_value_error, qualified_name_error};

/// Validates a label selector.
///
/// Mirrors ValidateLabelSelector in `k8s.io/apimachinery/pkg/apis/meta/v1/validation`.
pub(crate) fn check_selector(selector: &Part<'_>, findings: &mut Findings) {
    let labels = selector.at(&["matchLabels"]).map(|it| it.entries());
    for (key, value) in labels.into_iter().flatten() {
        let text = value.text().unwrap_or_default();
        let key_error = qualified_name_error(&key).map(|why| (why, KEY));
        let value_error = || label_value_error(&text).map(|why| (why, VALUE));
        if let Some((why, help)) = key_error.or_else(value_error) {
            let message = format!("no label can be `{key}: {text}`: {why}");
            let field = selector.path().child("matchLabels");
            findings.invalid(&MALFORMED, field, message).help(help);
        }
    }
    for expression in selector.items_at(&["matchExpressions"]) {
        check_expression(&expression, findings);
    }
}

fn check_expression(expression: &Part<'_>, findings: &mut Findings) {
    let path = expression.path();
    let (key, operator) = (expression.text_at(&["key"]), expression.text_at(&["operator"]));
    let values = expression.texts_at(&["values"]);
    if let Some(why) = qualified_name_error(&key) {
        let message = format!("`{key}` cannot be the key of a label: {why}");
        findings.invalid(&MALFORMED, path.child("key"), message).help(KEY);
    }
    match (operator.as_str(), values.is_empty()) {
        ("In" | "NotIn", true) => {
            let message = format!("operator `{operator}` needs values");
            findings
                .required(&MISSING, path.child("values"), message)
                .help("list values, as in `values: [my-value]`");
        }
        ("Exists" | "DoesNotExist", false) => {
            let message = format!("operator `{operator}` takes no values");
            findings.forbid(&UNFITTING, path.child("values"), message).help("remove them");
        }
        ("In" | "NotIn" | "Exists" | "DoesNotExist", _) => {}
        _ => {
            let message = format!("`{operator}` is no operator");
            findings
                .invalid(&MALFORMED, path.child("operator"), message)
                .help("use `In`, `NotIn`, `Exists` or `DoesNotExist`");
        }
    }
    for (field, value) in values {
        if let Some(why) = label_value_error(&value) {
            let message = format!("no label can have the value `{value}`: {why}");
            findings.invalid(&MALFORMED, field, message).help(VALUE);
        }
    }
}
