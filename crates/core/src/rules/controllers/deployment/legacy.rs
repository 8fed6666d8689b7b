// SPDX-License-Identifier: Apache-2.0
//! The `providerConfig` of a ControllerDeployment in version `v1beta1`.

use serde_json::{Map, Value};

/// The content of a field.
#[derive(Clone, Copy)]
enum Content {
    Text,
    Any,
    Object(&'static [(&'static str, Content)]),
}

use Content::{Any, Object, Text};

const SECRET: Content = Object(&[("name", Text)]);
const REPOSITORY: Content = Object(&[
    ("ref", Text),
    ("repository", Text),
    ("tag", Text),
    ("digest", Text),
    ("pullSecretRef", SECRET),
    ("caBundleSecretRef", SECRET),
]);
const CHART: Content = Object(&[("chart", Text), ("values", Any), ("ociRepository", REPOSITORY)]);

/// Returns the configuration of a Helm chart as Gardener decodes it; `Err` is the field of another type.
///
/// As in Go's `encoding/json`, unknown fields are ignored, and the case of names does not matter.
pub(super) fn decoded(configuration: Value) -> Result<Value, &'static str> {
    decode(configuration, CHART, "providerConfig")
}

fn decode(value: Value, content: Content, name: &'static str) -> Result<Value, &'static str> {
    match (content, value) {
        (Any, value) | (_, value @ Value::Null) | (Text, value @ Value::String(_)) => Ok(value),
        (Object(fields), Value::Object(written)) => {
            let mut decoded = Map::new();
            for (key, value) in written {
                let field = fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(&key));
                if let Some((name, content)) = field {
                    decoded.insert((*name).to_owned(), decode(value, *content, name)?);
                }
            }
            Ok(Value::Object(decoded))
        }
        _ => Err(name),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::decoded;

    #[rstest]
    #[case::other_case(json!({"Chart": "a"}), Ok(json!({"chart": "a"})))]
    #[case::unknown(json!({"foo": 1}), Ok(json!({})))]
    #[case::nested(json!({"ociRepository": {"REF": "a", "x": 1}}), Ok(json!({"ociRepository": {"ref": "a"}})))]
    #[case::null(json!(null), Ok(json!(null)))]
    #[case::values(json!({"values": [1]}), Ok(json!({"values": [1]})))]
    #[case::number(json!({"chart": 1}), Err("chart"))]
    #[case::text(json!("a"), Err("providerConfig"))]
    #[case::secret(json!({"ociRepository": {"pullSecretRef": "a"}}), Err("pullSecretRef"))]
    fn configuration_is_decoded_as_by_go(
        #[case] written: Value,
        #[case] expected: Result<Value, &'static str>,
    ) {
        assert_eq!(decoded(written), expected);
    }
}
