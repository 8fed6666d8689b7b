// SPDX-License-Identifier: Apache-2.0
//! The manifest at a cursor, also while it is not valid YAML.

use std::ops::Range;

use serde_json::{Value, json};

use super::outline::{Outline, Step, unquoted};
use garden_gate_model::api::{Described, described_in, group_and_version};
use garden_gate_text::yaml;

/// Returns the range of the document of a text at an offset.
pub fn part_at(text: &str, offset: usize) -> Range<usize> {
    let mut parts = yaml::split(text).into_iter().map(|(_, range)| range);
    let found = parts.rfind(|it| it.start <= offset);
    found.unwrap_or(0..text.len())
}

/// Returns the object in a document of a text as JSON, and its kind.
///
/// If it cannot be parsed, it is read without the line of the cursor.
pub fn manifest_at(
    text: &str,
    document: &Range<usize>,
    offset: usize,
) -> Option<(&'static Described, Value)> {
    let part = &text[document.clone()];
    let parsed = |text: &str| {
        let documents = yaml::parse_keeping_repeated(text).ok()?;
        documents.first().map(yaml::Document::to_value)
    };
    let object = parsed(part)
        .filter(Value::is_object)
        .or_else(|| parsed(&without_line(part, offset.saturating_sub(document.start))))
        .unwrap_or_else(|| header(part));
    let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let (group, version) = group_and_version(api_version);
    let kind = described_in(object.get("kind")?.as_str()?, version)?;
    let is_of_group = api_version.is_empty() || group == kind.group;
    is_of_group.then_some((kind, object))
}

/// Returns a text without the line at an offset.
fn without_line(text: &str, offset: usize) -> String {
    let at = text.floor_char_boundary(offset);
    let is_break = |it: char| matches!(it, '\n' | '\r');
    let begin = text[..at].rfind(is_break).map_or(0, |it| it + 1);
    let rest = &text[at..];
    let end = rest.find(is_break).map_or(text.len(), |end| {
        let is_two = rest[end..].starts_with("\r\n");
        at + end + if is_two { 2 } else { 1 }
    });
    format!("{}{}", &text[..begin], &text[end..])
}

/// Returns the fields of a document that select its kind, for one that cannot be parsed.
fn header(text: &str) -> Value {
    let outline = Outline::of(text);
    let field = |path: &[&str]| {
        let path: Vec<Step> = path.iter().map(|it| Step::Key((*it).to_owned())).collect();
        let node = &outline.nodes[outline.find(&path)?];
        Some(unquoted(&text[node.value.clone()]))
    };
    json!({
        "apiVersion": field(&["apiVersion"]),
        "kind": field(&["kind"]),
        "metadata": {"name": field(&["metadata", "name"]), "namespace": field(&["metadata", "namespace"])},
        "spec": {
            "cloudProfileName": field(&["spec", "cloudProfileName"]),
            "cloudProfile": {
                "kind": field(&["spec", "cloudProfile", "kind"]),
                "name": field(&["spec", "cloudProfile", "name"]),
            },
            "region": field(&["spec", "region"]),
        },
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::valid("kind: Shoot\nspec: {region: eu}\n", 3)]
    #[case::broken_line("kind: Shoot\nspec:\n  region: eu\n  a: [\n", 31)]
    #[case::broken_lines("kind: Shoot\nspec:\n  region: eu\nb: ]\nc: ]\n", 37)]
    fn kind_and_region_are_found_in_broken_text(#[case] text: &str, #[case] offset: usize) {
        let (kind, object) = manifest_at(text, &(0..text.len()), offset).unwrap();
        assert_eq!((kind.kind, &object["spec"]["region"]), ("Shoot", &json!("eu")));
    }

    #[rstest]
    #[case::first("a\nb\n", 0, "b\n")]
    #[case::last("a\nb", 3, "a\n")]
    #[case::windows("a\r\nb\r\nc", 3, "a\r\nc")]
    #[case::beyond("a", 9, "")]
    fn line_is_removed_with_its_break(
        #[case] text: &str,
        #[case] offset: usize,
        #[case] expected: &str,
    ) {
        assert_eq!(without_line(text, offset), expected);
    }
}
