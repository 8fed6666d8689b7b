// SPDX-License-Identifier: Apache-2.0
//! Templates in the values of a Helm chart.

use crate::admission::{FieldPath, Findings};
use crate::rules::shared::validation::{MALFORMED, Part};

const HELP: &str = "write `{{ .resources.NAME.data.KEY }}` with a name of `resources`";

/// Checks that each template of the values is the value of a declared resource.
///
/// Mirrors ValidateValuesTemplates in `pkg/api/core/validation/utils.go`.
pub(super) fn check_values(values: &Part<'_>, resources: &[Part<'_>], findings: &mut Findings) {
    let names: Vec<String> = resources.iter().map(|it| it.text_at(&["name"])).collect();
    let mut left = vec![values.clone()];
    while let Some(value) = left.pop() {
        if let Some(text) = value.text() {
            check_text(&text, &names, value.path(), findings);
        }
        for (key, entry) in value.entries() {
            check_text(&key, &names, value.path(), findings);
            left.push(entry);
        }
        left.extend(value.items());
    }
}

fn check_text(text: &str, names: &[String], at: &FieldPath, findings: &mut Findings) {
    let (templates, rest) = templates(text);
    let wrong = templates.into_iter().filter_map(|template| match resource_of(template) {
        None => Some(format!("`{template}` is no template of a resource")),
        Some(name) if names.iter().any(|it| it == name) => None,
        Some(name) => {
            Some(format!("`{template}` needs the resource `{name}`, which is not declared"))
        }
    });
    let stray = ["{{", "}}"]
        .into_iter()
        .filter(|it| rest.contains(it))
        .map(|it| format!("`{it}` is outside of a template"));
    for message in wrong.chain(stray) {
        findings.invalid(&MALFORMED, FieldPath::new("helm.values"), message).at(at).help(HELP);
    }
}

/// Returns the templates, as matched by `\{\{[^{}]*\}\}`, and the text without them.
fn templates(text: &str) -> (Vec<&str>, String) {
    let (mut found, mut rest, mut left) = (Vec::new(), String::new(), text);
    while let Some(start) = left.find("{{") {
        let inside = &left[start + 2..];
        let end = inside.find(['{', '}']).filter(|end| inside[*end..].starts_with("}}"));
        // Without an end, a template may begin at the second brace.
        let taken = end.map_or(start + 1, |end| start + 2 + end + 2);
        match end {
            Some(_) => {
                rest.push_str(&left[..start]);
                found.push(&left[start..taken]);
            }
            None => rest.push_str(&left[..taken]),
        }
        left = &left[taken..];
    }
    rest.push_str(left);
    (found, rest)
}

/// Returns the resource of a template `{{ .resources.NAME.data.KEY }}`.
fn resource_of(template: &str) -> Option<&str> {
    let inside = template
        .strip_prefix("{{")?
        .strip_suffix("}}")?
        .trim_matches([' ', '\t', '\n', '\r', '\u{c}']);
    let (name, rest) = inside.strip_prefix(".resources.")?.split_once('.')?;
    let key = rest.strip_prefix("data.")?;
    let is_word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric());
    (is_word(name) && is_word(key)).then_some(name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{resource_of, templates};

    #[rstest]
    #[case::none("a } b {", &[], "a } b {")]
    #[case::one("a {{ x }} b", &["{{ x }}"], "a  b")]
    #[case::two("{{a}}{{b}}", &["{{a}}", "{{b}}"], "")]
    #[case::third_brace("{{{a}}", &["{{a}}"], "{")]
    #[case::nested("{{ {{ a }} }}", &["{{ a }}"], "{{  }}")]
    #[case::open("{{ open", &[], "{{ open")]
    #[case::made_by_removal("{{{a}}{", &["{{a}}"], "{{")]
    #[case::other_letters("ä{{ö}}ü", &["{{ö}}"], "äü")]
    fn templates_are_found_as_by_go(
        #[case] text: &str,
        #[case] expected: &[&str],
        #[case] rest: &str,
    ) {
        assert_eq!(templates(text), (expected.to_vec(), rest.to_owned()));
    }

    #[rstest]
    #[case::spaces("{{ .resources.a.data.b }}", Some("a"))]
    #[case::no_spaces("{{.resources.a1.data.B2}}", Some("a1"))]
    #[case::dotted_key("{{ .resources.a.data.b.c }}", None)]
    #[case::dashed_name("{{ .resources.a-b.data.c }}", None)]
    #[case::values("{{ .Values.a }}", None)]
    #[case::nothing("{{}}", None)]
    fn template_names_a_resource(#[case] template: &str, #[case] expected: Option<&str>) {
        assert_eq!(resource_of(template), expected);
    }
}
