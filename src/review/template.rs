//! Templates: manifests with placeholders that another program replaces before they are applied.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository::{absolute, shown};

/// Fields with text for people, in which placeholder characters have no meaning.
const PROSE: [&str; 2] = ["description", "purpose"];

/// Returns why a text that is not valid YAML is not judged, if it is a template.
pub(crate) fn why_text(file: &str, text: &str) -> Option<String> {
    let is_template = text.contains("{{") || text.contains("{%");
    let placeholder = is_template
        .then_some(Placeholder::Template)
        .or_else(|| placeholder(text));
    placeholder.map(|it| it.why(file))
}

/// Returns why a manifest is not judged, if its identity or its spec holds placeholders.
pub(crate) fn why_manifest(file: &str, json: &str) -> Option<String> {
    // Fast path for nearly all manifests.
    if !json.contains("{{") && !json.contains("${") {
        return None;
    }
    let object: Value = serde_json::from_str(json).ok()?;
    let identity = [
        "/kind",
        "/apiVersion",
        "/metadata/name",
        "/metadata/namespace",
        "/spec",
    ];
    let mut values = identity.iter().filter_map(|it| object.pointer(it));
    values.find_map(within).map(|it| it.why(file))
}

/// Reports whether a string has placeholders.
pub(crate) fn has_placeholders(text: &str) -> bool {
    placeholder(text).is_some()
}

#[derive(Clone, Copy)]
enum Placeholder {
    /// `{{ .Values.name }}`
    Template,
    /// `${NAME}`
    Variable,
}

fn within(value: &Value) -> Option<Placeholder> {
    match value {
        Value::String(text) => placeholder(text),
        Value::Array(items) => items.iter().find_map(within),
        Value::Object(fields) => {
            let mut fields = fields
                .iter()
                .filter(|(name, _)| !PROSE.contains(&name.as_str()));
            fields.find_map(|(name, value)| placeholder(name).or_else(|| within(value)))
        }
        _ => None,
    }
}

fn placeholder(text: &str) -> Option<Placeholder> {
    if let Some((_, rest)) = text.split_once("{{")
        && rest.contains("}}")
    {
        return Some(Placeholder::Template);
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("${") {
        let starts_name = after.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
        if starts_name && after.contains('}') {
            return Some(Placeholder::Variable);
        }
        rest = after;
    }
    None
}

impl Placeholder {
    fn why(self, file: &str) -> String {
        match (self, chart(file)) {
            (Placeholder::Template, Some(chart)) => format!(
                "is a Helm template, not judged; review the output of `helm template {}`",
                shown(&chart)
            ),
            (Placeholder::Template, None) => {
                "is a template (`{{ }}`), not judged; render it and review the result".to_owned()
            }
            (Placeholder::Variable, _) => "has placeholders (`${NAME}`), not judged; substitute them, as with `envsubst`, and review the result".to_owned(),
        }
    }
}

/// Returns the Helm chart that a file belongs to.
fn chart(file: &str) -> Option<PathBuf> {
    let place = absolute(Path::new(file)).ok()?;
    let mut folders = place.ancestors().skip(1);
    let folder = folders.find(|it| it.join("Chart.yaml").is_file())?;
    Some(folder.to_owned())
}
