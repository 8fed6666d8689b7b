// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admissioncontroller/webhook/admission/resourcesize/handler.go`.

use crate::admission::{Context, FieldPath, Findings, Resource, rule};
use garden_gate_model::api::GARDEN_NAMESPACE;
use garden_gate_text::go::Quantity;
use garden_gate_text::json::Json;

rule! {
    page: include_str!("resource_size.md"),
    id: "admission-controller/resource-size",
    summary: "rejects objects above the maximum size of their resource",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [
        Shoot [Create, Update];
        Project [Create, Update];
        CloudProfile [Create, Update];
        NamespacedCloudProfile [Create, Update];
        Seed [Create, Update];
        ShootState [Create, Update];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
    ],
    findings: { TOO_LARGE = "admission-controller/resource-size": "the object is larger than the landscape permits" },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let request = context.request;
    let Resource { group, version, resource } = &request.resource;
    let mut limits = context.config.resource_limits.iter();
    // The namespace of Gardener itself is excluded.
    let limit = limits
        .find(|it| it.is_for([group, version, resource]))
        .filter(|_| request.namespace != GARDEN_NAMESPACE);
    let Some(limit) = limit else { return };
    let size = size(context.new_json());
    let nanos = i128::try_from(size).unwrap_or(i128::MAX);
    if nanos.saturating_mul(Quantity::ONE) <= limit.size.nanos() {
        return;
    }
    let maximum = limit.size.printed();
    let message =
        format!("the object has {size} bytes as JSON, and {resource} have at most {maximum}");
    findings
        .forbid(&TOO_LARGE, FieldPath::root(), message)
        .value(size)
        .help("remove what is not needed, such as long annotations, or ask an operator for a higher limit");
}

/// Returns the size of an object as JSON that Go writes, without its status and managed fields.
///
/// A manifest without defaults is smaller than the object that Gardener judges.
fn size(mut object: Json<'_>) -> usize {
    if let Some(metadata) = object.at(&["metadata"]).and_then(|it| it.fields()) {
        metadata.remove("managedFields");
    }
    if let Some(fields) = object.fields() {
        fields.remove("status");
    }
    let text = object.opened().to_value().to_string();
    text.chars().map(written).sum()
}

/// Returns the number of bytes in which Go writes a character of JSON text: it escapes some for HTML and JavaScript.
fn written(character: char) -> usize {
    match character {
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => r"\u003c".len(),
        other => other.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::size;
    use garden_gate_text::json::Json;

    #[rstest]
    #[case::spaces(r#"{ "a": [1, true], "b": "c" }"#, r#"{"a":[1,true],"b":"c"}"#.len())]
    #[case::status(r#"{"a":1,"status":{"b":2}}"#, r#"{"a":1}"#.len())]
    #[case::managed_fields(r#"{"metadata":{"name":"a","managedFields":[{}]}}"#, r#"{"metadata":{"name":"a"}}"#.len())]
    #[case::escaped(r#"{"a":"<>&"}"#, r#"{"a":"\u003c\u003e\u0026"}"#.len())]
    #[case::letters(r#"{"a":"\u00e4"}"#, r#"{"a":"ä"}"#.len())]
    #[case::no_object("[]", 2)]
    fn sizes_are_those_of_go(#[case] text: &str, #[case] expected: usize) {
        assert_eq!(size(Json::text(text)), expected);
    }
}
