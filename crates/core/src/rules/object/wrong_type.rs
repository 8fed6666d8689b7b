// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::listed::{path, report};
use crate::admission::{Applicability, Context, ErrorType, Findings, Help, Remedy, rule};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::{Constraint, Field, Kind, Object, Shape, Step};
use garden_gate_text::json::RawJson;

rule! {
    page: include_str!("wrong_type.md"),
    id: "object/wrong-type",
    summary: "rejects values of the wrong type",
    phase: Decoding,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Create, Update] [Itself, Binding, Status];
        Project [Create, Update] [Itself, Status];
        CloudProfile [Create, Update] [Itself, Status];
        NamespacedCloudProfile [Create, Update] [Itself, Status];
        Seed [Create, Update] [Itself, Status];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
        BackupBucket [Create, Update] [Itself, Status];
        BackupEntry [Create, Update] [Itself, Status];
        ControllerRegistration [Create, Update];
        ControllerDeployment [Create, Update];
        ControllerInstallation [Create, Update] [Itself, Status];
        InternalSecret [Create, Update];
        ShootState [Create, Update];
        WorkloadIdentity [Create, Update];
        Bastion [Create, Update] [Itself, Status];
        ManagedSeed [Create, Update] [Itself, Status];
        ManagedSeedSet [Create, Update] [Itself, Status];
        Gardenlet [Create, Update] [Itself, Status];
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: {
        WRONG = "object/wrong-type": "a value has the wrong type",
    },
    fixes: Safe,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some((kind, strict_errors)) = context.strict_errors() else {
        return;
    };
    // Other values of a custom resource are validated by its schema.
    let is_custom = context.custom_resource().is_some();
    let is_judged = |place: &[Step<'_>]| match place.first() {
        Some(Step::Field("metadata")) => true,
        _ => !is_custom,
    };
    let is_secret = context.request.kind().is_some_and(Kind::holds_credentials);
    let wrong = strict_errors.wrong.first.iter().filter(|(place, _)| is_judged(place));
    for (place, (shape, written)) in wrong {
        let expected = expected(*shape);
        let (found, help) = if is_secret {
            (found_secret(*written).to_owned(), format!("write {expected}").into())
        } else {
            (found(*written), help(field(kind.object, place), *shape, *written))
        };
        let message = format!("{expected} is expected, but this is {found}");
        findings.report(&WRONG, ErrorType::TypeInvalid, path(place), message).help(help);
    }
    if !is_custom {
        report(&strict_errors.wrong, &WRONG, findings);
    }
}

pub(crate) fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "a text",
        Shape::Boolean => "`true` or `false`",
        Shape::Integer32 | Shape::Integer64 => "a whole number",
        Shape::Number => "a number",
        Shape::Time => "a time",
        Shape::Duration => "a duration",
        Shape::Quantity => "a quantity",
        Shape::IntOrString => "a whole number or a text",
        Shape::Any => "anything",
        Shape::Object(_) => "an object with fields",
        Shape::List(..) => "a list",
        Shape::Map(_) => "an object with keys of your own",
    }
}

pub(crate) fn found(written: RawJson<'_>) -> String {
    match written {
        RawJson::Null => "nothing".to_owned(),
        RawJson::Boolean(value) => format!("the boolean `{value}`"),
        RawJson::Number(number) => format!("the number `{}`", short(number)),
        RawJson::Text(text) => format!("the string `{}`", short(&text.text())),
        RawJson::List => "a list".to_owned(),
        RawJson::Object => "an object".to_owned(),
    }
}

/// Describes a value like [`found`], without the value itself.
fn found_secret(written: RawJson<'_>) -> &'static str {
    match written {
        RawJson::Null => "nothing",
        RawJson::Boolean(_) => "a boolean",
        RawJson::Number(_) => "a number",
        RawJson::Text(_) => "a string",
        RawJson::List => "a list",
        RawJson::Object => "an object",
    }
}

/// Returns the field at the end of a path in an object.
pub(crate) fn field(object: &'static Object, place: &[Step<'_>]) -> Option<&'static Field> {
    let names: Vec<&str> = place
        .iter()
        .filter_map(|step| match step {
            Step::Field(name) => Some(*name),
            _ => None,
        })
        .collect();
    let (name, above) = names.split_last()?;
    object.at(above)?.field(name)
}

/// Returns a suggestion for the value.
pub(crate) fn help(field: Option<&Field>, shape: Shape, written: RawJson<'_>) -> Help {
    Help::of(text(field, shape, written), remedy(field, shape, written))
}

/// Returns the value that was meant, if there is only one.
fn remedy(field: Option<&Field>, shape: Shape, written: RawJson<'_>) -> Option<Remedy> {
    let fits = |value: &str| field.is_none_or(|field| unfit(field, value).is_none());
    let value: Value = match (shape, written) {
        (Shape::String, RawJson::Number(number)) if fits(number) => short(number).as_ref().into(),
        (Shape::String, RawJson::Boolean(value)) if fits(&value.to_string()) => {
            value.to_string().into()
        }
        (Shape::Boolean, RawJson::Text(text)) => match text.text().to_ascii_lowercase().as_str() {
            "true" => true.into(),
            "false" => false.into(),
            _ => return None,
        },
        (Shape::Integer32, RawJson::Text(text)) => text.text().parse::<i32>().ok()?.into(),
        (Shape::Integer64, RawJson::Text(text)) => text.text().parse::<i64>().ok()?.into(),
        _ => return None,
    };
    Some(Remedy::Set(value, Applicability::Safe))
}

fn text(field: Option<&Field>, shape: Shape, written: RawJson<'_>) -> String {
    match (shape, written) {
        (Shape::String, RawJson::Number(number)) => {
            let instead = field.and_then(|field| unfit(field, number));
            instead.unwrap_or_else(|| format!("write it in quotes, as it is meant: `\"{}\"`", short(number)))
        }
        (Shape::String, RawJson::Boolean(value)) => {
            let instead = field.and_then(|field| unfit(field, &value.to_string()));
            instead.unwrap_or_else(|| format!(
                "write it in quotes, as it is meant: `\"{value}\"`; without them `yes`, `no`, `on` and `off` are truth values, too"
            ))
        }
        (Shape::Boolean, RawJson::Text(text)) => boolean(&text.text()),
        (Shape::Integer32, RawJson::Number(number)) => range(number, i32::MIN.into(), i32::MAX.into()),
        (Shape::IntOrString, RawJson::Number(number)) => {
            format!("{}, or a text such as `10%`", range(number, i32::MIN.into(), i32::MAX.into()))
        }
        (Shape::Integer64, RawJson::Number(number)) => range(number, i64::MIN, i64::MAX),
        (Shape::Integer32, RawJson::Text(text)) => whole_number(&text.text(), i32::MIN.into(), i32::MAX.into()),
        (Shape::Integer64, RawJson::Text(text)) => whole_number(&text.text(), i64::MIN, i64::MAX),
        (Shape::Number, RawJson::Text(text)) => number(&text.text()),
        (Shape::Time, _) => "write it as `2026-01-31T12:00:00Z`, in quotes".to_owned(),
        (Shape::Duration, _) => {
            "write it with units, in quotes, for example `1h30m`, `10s` or `500ms`; the longest unit is `h`".to_owned()
        }
        (Shape::Quantity, _) => "write it for example as `50Gi`, `500m` or `2`".to_owned(),
        (Shape::List(..), _) => "begin each element with `- `, or write it in square brackets".to_owned(),
        (Shape::Object(object), _) => {
            let names: Vec<String> = object.fields.iter().take(5).map(|it| format!("`{}`", it.name)).collect();
            format!("write its fields below it, indented: {}", names.join(", "))
        }
        (Shape::Map(_), _) => "write a key and its value on each line below it, indented".to_owned(),
        _ => format!("write {}", expected(shape)),
    }
}

/// Returns the help for a value that is invalid in quotes, too; `None` if it is valid.
fn unfit(field: &Field, value: &str) -> Option<String> {
    field.constraints.iter().find_map(|it| match it {
        Constraint::Format(format) => {
            format.error(value)?;
            Some(format.help(value, |it| field.is_short(it)))
        }
        Constraint::Enum(allowed) => {
            let is_allowed = allowed.contains(&value);
            (!is_allowed).then(|| one_of(value, allowed).text.into_owned())
        }
        _ => None,
    })
}

fn boolean(text: &str) -> String {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => "write `true`, without quotes".to_owned(),
        "false" | "no" | "off" | "n" => "write `false`, without quotes".to_owned(),
        _ => "write `true` or `false`, without quotes".to_owned(),
    }
}

fn number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => format!("write `{number}`, without quotes"),
        _ => "write digits, without quotes".to_owned(),
    }
}

fn whole_number(text: &str, least: i64, most: i64) -> String {
    match text.parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => {
            format!("write `{number}`, without quotes")
        }
        _ => format!("write a whole number between {least} and {most}, without quotes"),
    }
}

/// Returns the help for a number that is not an integer, or out of range.
fn range(number: &str, least: i64, most: i64) -> String {
    let is_whole = number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    if is_whole {
        format!("write one between {least} and {most}")
    } else {
        "write one without fraction and exponent".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use garden_gate_model::api::described;

    #[rstest]
    #[case::boolean(Shape::Boolean, "\"Yes\"", "write `true`, without quotes")]
    #[case::no_boolean(Shape::Boolean, "\"1\"", "write `true` or `false`, without quotes")]
    #[case::fraction(Shape::Integer64, "1.5", "write one without fraction and exponent")]
    #[case::largest(Shape::Integer32, "\"2147483647\"", "write `2147483647`, without quotes")]
    #[case::too_large(
        Shape::Integer32,
        "\"2147483648\"",
        "write a whole number between -2147483648 and 2147483647, without quotes"
    )]
    #[case::out_of_range(
        Shape::Integer32,
        "-2147483649",
        "write one between -2147483648 and 2147483647"
    )]
    #[case::number(Shape::Number, "\"1.50\"", "write `1.5`, without quotes")]
    #[case::infinite(Shape::Number, "\"inf\"", "write digits, without quotes")]
    #[case::object(
        Shape::Object(described("Shoot").unwrap().object),
        "1",
        "write its fields below it, indented: `apiVersion`, `kind`, `metadata`, `spec`, `status`"
    )]
    #[case::map(
        Shape::Map(&Shape::String),
        "1",
        "write a key and its value on each line below it, indented"
    )]
    fn help_for_a_value_of_another_type(
        #[case] shape: Shape,
        #[case] written: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(text(None, shape, RawJson::of(written)), expected);
    }

    #[rstest]
    #[case::boolean(Shape::Boolean, "\"True\"", json!(true))]
    #[case::number(Shape::Integer32, "\"7\"", json!(7))]
    #[case::large_number(Shape::Integer64, "\"4294967296\"", json!(4_294_967_296_i64))]
    #[case::text(Shape::String, "true", json!("true"))]
    fn value_that_was_meant(#[case] shape: Shape, #[case] written: &str, #[case] expected: Value) {
        let found = remedy(None, shape, RawJson::of(written));
        assert_eq!(found, Some(Remedy::Set(expected, Applicability::Safe)));
    }

    #[rstest]
    #[case::boolean("true")]
    #[case::number("1")]
    fn value_is_not_quoted_where_only_some_strings_are_allowed(#[case] written: &str) {
        let shoot = described("Shoot").unwrap().object;
        let place = ["spec", "kubernetes", "kubeProxy", "mode"].map(Step::Field);
        let help = help(field(shoot, &place), Shape::String, RawJson::of(written));
        assert!(!help.text.contains("in quotes"), "{}", help.text);
        assert_eq!(help.remedy, None);
    }
}
