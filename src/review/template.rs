//! Templates: manifests with placeholders that another program replaces before they are applied.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository::{absolute, shown};
use crate::json::{Json, escape_step};

/// Fields with text for people, in which placeholder characters have no meaning.
const PROSE: [&str; 2] = ["description", "purpose"];

/// Returns why a text that is not valid YAML is not judged, if it is a template.
pub(crate) fn why_text(file: &str, text: &str) -> Option<String> {
    is_template(text).then(|| {
        let placeholder = placeholder(text).unwrap_or(Placeholder::Template);
        placeholder.why(file)
    })
}

/// Reports whether a text that is not valid YAML is a template.
pub(crate) fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%") || has_placeholders(text)
}

/// Returns why an object that is not judged is unknown, if its identity or its spec holds placeholders.
pub(crate) fn why_object(file: &str, json: &str) -> Option<String> {
    let found = Placeholders::of(json)?;
    let first = found.identity.or(found.first_field());
    first.map(|it| it.why(file))
}

/// Returns why a manifest is not judged, if its kind, name or namespace holds placeholders, which an API server refuses.
pub(crate) fn why_manifest(file: &str, json: &str) -> Option<String> {
    Some(Placeholders::of(json)?.identity?.why(file))
}

/// Reports whether a string has placeholders.
pub(crate) fn has_placeholders(text: &str) -> bool {
    placeholder(text).is_some()
}

/// A form of placeholders.
#[derive(Clone, Copy)]
pub(crate) enum Placeholder {
    /// `{{ .Values.name }}`
    Template,
    /// `${NAME}`
    Variable,
}

/// The placeholders of a manifest.
pub(crate) struct Placeholders {
    /// The first one in the kind, name or namespace.
    identity: Option<Placeholder>,
    /// Those in other fields than metadata and text for people, with JSON pointers.
    fields: Vec<(String, Placeholder)>,
}

impl Placeholders {
    /// Returns the placeholders of a manifest; `None` if there are none.
    pub(crate) fn of(json: &str) -> Option<Self> {
        // Fast path for nearly all manifests.
        if !json.contains("{{") && !json.contains("${") {
            return None;
        }
        let object = Json::text(json).to_value();
        let identity = [
            "/kind",
            "/apiVersion",
            "/metadata/name",
            "/metadata/namespace",
        ];
        let mut identity = identity
            .iter()
            .filter_map(|it| object.pointer(it)?.as_str());
        let mut found = Self {
            identity: identity.find_map(placeholder),
            fields: Vec::new(),
        };
        let fields = object.as_object()?.iter();
        for (name, value) in fields.filter(|(name, _)| *name != "metadata") {
            found.add(format!("/{}", escape_step(name)), value);
        }
        Some(found)
    }

    fn add(&mut self, place: String, value: &Value) {
        match value {
            Value::String(text) => {
                let found = placeholder(text);
                self.fields.extend(found.map(|it| (place, it)));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add(format!("{place}/{index}"), item);
                }
            }
            Value::Object(fields) => {
                let fields = fields.iter();
                for (name, value) in fields.filter(|(name, _)| !PROSE.contains(&name.as_str())) {
                    let place = format!("{place}/{}", escape_step(name));
                    if let Some(found) = placeholder(name) {
                        self.fields.push((place.clone(), found));
                    }
                    self.add(place, value);
                }
            }
            _ => {}
        }
    }

    /// Returns the first placeholder outside of metadata.
    pub(crate) fn first_field(&self) -> Option<Placeholder> {
        self.fields.first().map(|(_, it)| *it)
    }

    /// Reports whether a JSON pointer is that of a placeholder, or leads to or from one.
    pub(crate) fn are_near(&self, pointer: &str) -> bool {
        let is_below = |below: &str, above: &str| {
            let rest = below.strip_prefix(above);
            rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
        };
        let mut places = self.fields.iter().map(|(place, _)| place);
        places.any(|place| is_below(pointer, place) || is_below(place, pointer))
    }
}

impl Display for Placeholder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Placeholder::Template => "{{ }}",
            Placeholder::Variable => "${NAME}",
        })
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
    pub(crate) fn why(self, file: &str) -> String {
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
