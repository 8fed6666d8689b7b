// SPDX-License-Identifier: Apache-2.0
use super::documents::DocumentHeader;
use crate::api::StrictErrors;
use crate::api::extensions::{Configuration, ExtensionVersion};
use garden_gate_text::json::decode;

/// Reports whether a mutating webhook can decode a configuration, strictly unless the extension ignores unknown fields.
///
/// It fills in absent `apiVersion` and `kind`.
pub(super) fn decodes(
    text: &str,
    configuration: &'static Configuration,
    version: ExtensionVersion,
) -> bool {
    let errors = StrictErrors::of(text, configuration.object, version.as_declared());
    let is_lenient = !configuration.is_strict;
    let has_errors =
        errors.wrong.count > 0 || !is_lenient && errors.unknown.count + errors.repeated.count > 0;
    if has_errors || !text.starts_with('{') {
        return false;
    }
    let Ok(header) = decode::<DocumentHeader>(text) else {
        return false;
    };
    let (group, version) = header.api_version.split_once('/').unwrap_or(("", &header.api_version));
    let is_version = group == configuration.group && configuration.versions.contains(&version);
    (header.api_version.is_empty() || is_version)
        && (header.kind.is_empty() || header.kind == configuration.kind)
}

/// Returns the JSON text of an object with the header of a configuration where it has none.
pub(super) fn with_header(text: &str, configuration: &Configuration) -> String {
    let header: DocumentHeader = decode(text).unwrap_or_default();
    let (Some(rest), true) = (text.strip_prefix('{'), text.ends_with('}')) else {
        return text.to_owned();
    };
    let mut whole = String::from("{");
    let is_empty = rest.trim_ascii() == "}";
    for (name, value, is_absent) in [
        (
            "apiVersion",
            configuration.api_version().as_str(),
            header.api_version.is_empty() && !rest.contains("\"apiVersion\""),
        ),
        ("kind", configuration.kind, header.kind.is_empty() && !rest.contains("\"kind\"")),
    ] {
        if is_absent {
            let separator = if whole.len() > 1 { "," } else { "" };
            whole.push_str(&format!("{separator}\"{name}\":\"{value}\""));
        }
    }
    if whole.len() > 1 && !is_empty {
        whole.push(',');
    }
    whole + rest
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{decodes, with_header};
    use crate::api::extensions::{Configuration, ConfigurationPlace, ExtensionVersion};

    fn configuration() -> &'static Configuration {
        Configuration::at(ConfigurationPlace::ControlPlane, "aws").unwrap().1
    }

    #[rstest]
    #[case::empty("{}", true)]
    #[case::without_header(r#"{"storage":{"managedDefaultClass":true}}"#, true)]
    #[case::kind(r#"{"kind":"ControlPlaneConfig"}"#, true)]
    #[case::other_kind(r#"{"kind":"WorkerConfig"}"#, false)]
    #[case::other_version(r#"{"apiVersion":"aws.provider.extensions.gardener.cloud/v1"}"#, false)]
    #[case::unknown_field(r#"{"storages":{}}"#, false)]
    #[case::twice(r#"{"storage":{},"storage":{}}"#, false)]
    #[case::wrong_type(r#"{"storage":true}"#, false)]
    #[case::no_object("[]", false)]
    fn decoding_is_strict(#[case] text: &str, #[case] expected: bool) {
        let version = ExtensionVersion::new(1, 74);
        assert_eq!(decodes(text, configuration(), version), expected);
    }

    #[test]
    fn header_is_added_where_absent() {
        let version = r#""apiVersion":"aws.provider.extensions.gardener.cloud/v1alpha1""#;
        for (text, expected) in [
            ("{ }", format!(r#"{{{version},"kind":"ControlPlaneConfig" }}"#)),
            (r#"{"kind":"X","a":1}"#, format!(r#"{{{version},"kind":"X","a":1}}"#)),
            (r#"{"kind":"X","apiVersion":"y"}"#, r#"{"kind":"X","apiVersion":"y"}"#.to_owned()),
        ] {
            assert_eq!(with_header(text, configuration()), expected);
        }
    }
}
