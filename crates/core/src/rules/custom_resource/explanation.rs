// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use crate::admission::{Applicability, FindingKind, Findings, Help, Remedy, finding_kinds};
use crate::custom_resources::{Fault, Violation, Violations};
use crate::rules::shared::lists::{list, one_of, short};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED,
};
use garden_gate_model::api::ValidationRule;

finding_kinds! {
    pub(super) WRONG_TYPE = "field/wrong-type": "a value has the wrong type",
    pub(super) REFUSED = "custom-resource/validation-rule": "a rule of the CustomResourceDefinition refuses the value",
}

/// Reports the listed violations.
pub(super) fn report(violations: &Violations<'_>, findings: &mut Findings) {
    for it in &violations.first {
        findings
            .report(kind(&it.fault), it.error, it.path.clone(), message(it))
            .value(it.value.clone())
            .help(help(it));
    }
}

fn kind(fault: &Fault<'_>) -> &'static FindingKind {
    match fault {
        Fault::Missing => &MISSING,
        Fault::Type(..) => &WRONG_TYPE,
        Fault::NotOneOf(_) => &UNSUPPORTED,
        Fault::TooLong(_) | Fault::TooManyItems(_) | Fault::TooManyFields(_) => &TOO_LONG,
        Fault::Below(..) | Fault::Above(..) | Fault::NotMultiple(_) => &OUT_OF_RANGE,
        Fault::TooFewItems(_) | Fault::TooFewFields(_) => &MISSING,
        Fault::TooShort(_)
        | Fault::Pattern(_)
        | Fault::Format(_)
        | Fault::NotAnObject
        | Fault::NoAlternative
        | Fault::SeveralAlternatives
        | Fault::NotAll
        | Fault::Excluded => &MALFORMED,
        Fault::NotUnique | Fault::Duplicate(_) => &REPEATED,
        Fault::Rule { .. } | Fault::Failed { .. } => &REFUSED,
    }
}

/// Returns the message about a violation.
pub(crate) fn message(violation: &Violation<'_>) -> String {
    let value = || quoted(&violation.value);
    match &violation.fault {
        Fault::Missing => "the field is required".to_owned(),
        Fault::Type(expected, found) => {
            format!("{} is expected, but this is {found}", expected.join(" or "))
        }
        Fault::NotOneOf(_) => format!("{} is not supported", value()),
        Fault::TooShort(1) => "the string is empty".to_owned(),
        Fault::TooShort(least) => format!("the string has fewer than {least} characters"),
        Fault::TooLong(most) => format!("the string has more than {most} characters"),
        Fault::Pattern(pattern) => format!("{} does not match `{}`", value(), short(pattern)),
        Fault::Format(format) => format!("{} does not have the format `{format}`", value()),
        Fault::Below(limit, false) => format!("{} is less than {limit}", value()),
        Fault::Below(limit, true) => format!("{} is not greater than {limit}", value()),
        Fault::Above(limit, false) => format!("{} is greater than {limit}", value()),
        Fault::Above(limit, true) => format!("{} is not less than {limit}", value()),
        Fault::NotMultiple(factor) => format!("{} is not a multiple of {factor}", value()),
        Fault::TooFewItems(1) => "the list is empty".to_owned(),
        Fault::TooFewItems(least) => format!("the list has fewer than {least} items"),
        Fault::TooManyItems(most) => format!("the list has more than {most} items"),
        Fault::TooFewFields(least) => format!("the object has fewer than {least} fields"),
        Fault::TooManyFields(most) => format!("the object has more than {most} fields"),
        Fault::NotUnique => "items of the list are equal".to_owned(),
        Fault::Duplicate([]) => "the item is in the list already".to_owned(),
        Fault::Duplicate(keys) => format!("an earlier item has the same {}", list(*keys)),
        Fault::NotAnObject => "an item of this list is an object".to_owned(),
        Fault::NoAlternative => "the value has none of the possible forms".to_owned(),
        Fault::SeveralAlternatives => {
            "the value has several forms, of which only one is possible".to_owned()
        }
        Fault::NotAll => "the value does not have all required forms".to_owned(),
        Fault::Excluded => "the value has a form that is not possible".to_owned(),
        Fault::Rule { rule, message } if message.is_empty() => {
            format!("the rule `{}` refuses the value", short(rule))
        }
        Fault::Rule { message, .. } => short(message).into_owned(),
        Fault::Failed { rule, reason } => {
            format!("the rule `{}` fails: {reason}", short(rule))
        }
    }
}

/// Returns the help for a violation.
pub(crate) fn help(violation: &Violation<'_>) -> Help {
    match &violation.fault {
        Fault::Missing => "set it".into(),
        Fault::Type(expected, _) => match remedy(expected, &violation.value) {
            Some(value) => {
                let text = format!("write {}", written(&value));
                Help::of(text, Remedy::Set(value, Applicability::Safe))
            }
            None => format!("write {}", expected.join(" or ")).into(),
        },
        Fault::NotOneOf(values) => {
            let names: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            match violation.value.as_str() {
                Some(wanted) if names.len() == values.len() => one_of(wanted, &names),
                _ => format!("use one of {}", list(*values)).into(),
            }
        }
        Fault::Below(limit, false) => format!("write {limit} or more").into(),
        Fault::Above(limit, false) => format!("write {limit} or less").into(),
        Fault::TooFewItems(_) => "add an item".into(),
        Fault::TooShort(_) => "write a value, or remove the field if it is optional".into(),
        Fault::NotUnique => "keep one of them".into(),
        Fault::Duplicate(_) => "keep one of them".into(),
        Fault::Rule { rule, .. } if rule.trim() == ValidationRule::IMMUTABLE => {
            Help::restore("restore the stored value: the field is immutable")
        }
        _ => "correct the value".into(),
    }
}

/// Returns the value that was meant, if there is only one.
fn remedy(expected: &[&str], value: &Value) -> Option<Value> {
    let [expected] = expected else { return None };
    match (*expected, value) {
        ("a string", Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
        ("`true` or `false`", Value::String(text)) => match text.to_ascii_lowercase().as_str() {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            _ => None,
        },
        ("a whole number", Value::String(text)) => Some(text.parse::<i64>().ok()?.into()),
        _ => None,
    }
}

fn written(value: &Value) -> String {
    format!("`{value}`")
}

/// Formats a value; an object or list has none.
fn quoted(value: &Value) -> String {
    match value {
        Value::Null => "the value".to_owned(),
        Value::String(text) => format!("`{}`", short(text)),
        value => format!("`{value}`"),
    }
}
