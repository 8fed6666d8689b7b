// SPDX-License-Identifier: Apache-2.0
//! Secrets and ConfigMaps, whose contents `gardenadm` decodes and no rule judges.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use garden_gate_text::yaml::Document;

/// The type of a field.
#[derive(Clone, Copy)]
enum Form {
    Any,
    Boolean,
    Text,
    /// A map from keys to text.
    Texts,
    /// A map from keys to text in base64.
    Encoded,
}

type Fields = &'static [(&'static str, Form)];

const SECRET: Fields = &[
    ("apiVersion", Form::Text),
    ("kind", Form::Text),
    ("metadata", Form::Any),
    ("type", Form::Text),
    ("immutable", Form::Boolean),
    ("data", Form::Encoded),
    ("stringData", Form::Texts),
];
const CONFIG_MAP: Fields = &[
    ("apiVersion", Form::Text),
    ("kind", Form::Text),
    ("metadata", Form::Any),
    ("immutable", Form::Boolean),
    ("data", Form::Texts),
    ("binaryData", Form::Encoded),
];

/// Returns the reason why `gardenadm` cannot decode a Secret or ConfigMap, or that it drops a field, with the help.
///
/// Neither contains values of the object.
pub(super) fn problem(document: &Document, kind: &str) -> Option<(String, &'static str)> {
    if document.repeats_keys() {
        return Some((format!("a field of the {kind} is set twice"), "keep one of them"));
    }
    let fields = if kind == "Secret" { SECRET } else { CONFIG_MAP };
    let value = document.to_value();
    value.as_object()?.iter().find_map(|(name, value)| {
        let Some((name, form)) = fields.iter().find(|(field, _)| field == name) else {
            let why = format!("gardenadm drops a field that a {kind} does not have");
            return Some((why, "remove it, or correct its name"));
        };
        let expected = form.unmet(value)?;
        let why = format!("gardenadm fails, since `{name}` of the {kind} is not {expected}");
        Some((why, "correct the value"))
    })
}

impl Form {
    /// Describes what a value should be; `None` if it is.
    fn unmet(self, value: &Value) -> Option<&'static str> {
        let is_encoded = |it: &Value| it.as_str().is_some_and(|it| STANDARD.decode(it).is_ok());
        let each = |is_valid: &dyn Fn(&Value) -> bool| {
            value.as_object().is_some_and(|it| it.values().all(|it| it.is_null() || is_valid(it)))
        };
        let (is_met, expected) = match self {
            Self::Any => (true, ""),
            Self::Boolean => (value.is_boolean(), "a boolean"),
            Self::Text => (value.is_string(), "a text"),
            Self::Texts => (each(&Value::is_string), "a map from keys to text"),
            Self::Encoded => (each(&is_encoded), "a map from keys to text in base64"),
        };
        (!is_met && !value.is_null()).then_some(expected)
    }
}

#[cfg(test)]
mod tests {
    use garden_gate_text::yaml;
    use rstest::rstest;

    use super::problem;

    #[rstest]
    #[case::secret("Secret", "data: {a: eA==}, stringData: {a: b}, type: Opaque", None)]
    #[case::config_map("ConfigMap", "data: {a: b}, binaryData: {a: eA==}, immutable: true", None)]
    #[case::nothing("Secret", "data: null, stringData: {a: null}", None)]
    #[case::text("Secret", "data: canary", Some("`data` of the Secret is not a map"))]
    #[case::encoded("Secret", "data: {a: \"!!x\"}", Some("text in base64"))]
    #[case::number("ConfigMap", "data: {a: 5}", Some("`data` of the ConfigMap is not a map"))]
    #[case::class("Secret", "type: 5", Some("`type` of the Secret is not a text"))]
    #[case::immutable("Secret", "immutable: x", Some("is not a boolean"))]
    #[case::unknown("Secret", "stringDta: {canary: canary}", Some("drops a field"))]
    #[case::twice("Secret", "stringData: {a: b}, stringData: {a: b}", Some("is set twice"))]
    fn wrong_types_are_named(
        #[case] kind: &str,
        #[case] fields: &str,
        #[case] expected: Option<&str>,
    ) {
        let text = format!("{{apiVersion: v1, kind: {kind}, metadata: {{name: a}}, {fields}}}");
        let documents = yaml::parse_keeping_repeated(&text).unwrap();
        let why = problem(&documents[0], kind).map(|(why, _)| why);
        let is_expected = match (&why, expected) {
            (Some(why), Some(expected)) => why.contains(expected) && !why.contains("canary"),
            (why, expected) => why.is_none() && expected.is_none(),
        };
        assert!(is_expected, "{why:?}");
    }
}
