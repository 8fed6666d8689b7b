// SPDX-License-Identifier: Apache-2.0
//! Templates: manifests with placeholders that another program replaces before they are applied.

use serde_json::Value;

use crate::report::Placeholder;
use garden_gate_text::json::{Json, escape_step};
use garden_gate_text::yaml::parse_keeping_repeated;

/// Maximum length of a placeholder in a text that is not valid YAML, in bytes.
const LONGEST: usize = 500;

/// Returns a placeholder of a text that is not valid YAML, if it is a template.
pub(super) fn of_text(text: &str) -> Option<Placeholder> {
    is_template(text).then(|| placeholder(text).unwrap_or(Placeholder::Template))
}

/// Reports whether one document that is not valid YAML is a template: with its placeholders replaced, it is valid.
///
/// `kubectl` cannot read such a document either. This needs some care, since it reads more than other programs: it ignores
/// all that follows `...` or a root in braces.
pub(super) fn is_template(text: &str) -> bool {
    let lines = text.split(['\n', '\r']);
    let is_content = |line: &str| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#') && line != "---"
    };
    let first = lines.clone().find(|line| is_content(line));
    let begins_fields = first.is_some_and(|line| {
        let line = line.trim_start_matches([' ', '-']);
        let (before, marks) = marked(line);
        let is_marked = before.is_empty() && !marks.is_empty();
        is_marked || line.starts_with(|it: char| it.is_ascii_alphabetic())
    });
    let mut separators = lines.skip_while(|line| !is_content(line));
    let is_one = !separators.any(|line| line.starts_with("---") || line.starts_with("..."));
    begins_fields && is_one && replaced(text).is_some_and(|it| parse_keeping_repeated(&it).is_ok())
}

/// Returns a text with its placeholders replaced; `None` if it has none.
///
/// A line that is a placeholder becomes a comment, and another one a word, so that the replacement hides no other error.
fn replaced(text: &str) -> Option<String> {
    let (mut replaced, mut has_any) = (String::with_capacity(text.len()), false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let (before, marks) = marked(content);
        has_any |= !marks.is_empty();
        let is_alone = !marks.is_empty()
            && before.trim().is_empty()
            && marks.iter().all(|after| after.trim().is_empty());
        if is_alone {
            replaced.push('#');
        } else {
            replaced.push_str(before);
            for after in marks {
                replaced.push('x');
                replaced.push_str(after);
            }
        }
        replaced.push_str(&line[content.len()..]);
    }
    has_any.then_some(replaced)
}

/// Returns the text of a line before its first placeholder, and after each one.
fn marked(line: &str) -> (&str, Vec<&str>) {
    const MARKS: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("${", "}")];
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = line[at..].find(['{', '$']) {
        at += found;
        let mark = MARKS.iter().find_map(|(begin, end)| {
            let inner = line[at..].strip_prefix(begin)?;
            let inner = &inner[..inner.floor_char_boundary(LONGEST)];
            let length = inner.find(end)?;
            let is_text = inner[..length].bytes().all(|it| matches!(it, b' '..=b'~'));
            is_text.then_some(begin.len() + length + end.len())
        });
        match mark {
            Some(length) => {
                parts.push(&line[from..at]);
                at += length;
                from = at;
            }
            None => at += 1,
        }
    }
    parts.push(&line[from..]);
    let mut parts = parts.into_iter();
    (parts.next().unwrap_or_default(), parts.collect())
}

/// Reports whether the identity or the spec of an object that is not judged holds placeholders, so that it is unknown.
pub(super) fn is_object(json: &str) -> bool {
    let found = Placeholders::of(json);
    found.is_some_and(|it| it.identity.or(it.first_field()).is_some())
}

/// Returns a placeholder in the kind, name or namespace of a manifest, which an API server refuses.
pub(super) fn of_identity(json: &str) -> Option<Placeholder> {
    Placeholders::of(json)?.identity
}

/// Reports whether a string has placeholders.
pub(super) fn has_placeholders(text: &str) -> bool {
    placeholder(text).is_some()
}

/// The placeholders of a manifest.
pub(super) struct Placeholders {
    /// The first one in the kind, name or namespace.
    identity: Option<Placeholder>,
    /// Those in other fields than metadata, with JSON pointers.
    fields: Vec<(String, Placeholder)>,
}

impl Placeholders {
    /// Returns the placeholders of a manifest; `None` if there are none.
    pub(super) fn of(json: &str) -> Option<Self> {
        // Fast path for nearly all manifests.
        if !json.contains("{{") && !json.contains("${") {
            return None;
        }
        let object = Json::text(json).to_value();
        let mut identity = ["/kind", "/apiVersion", "/metadata/name", "/metadata/namespace"]
            .iter()
            .filter_map(|it| object.pointer(it)?.as_str());
        let mut found = Self { identity: identity.find_map(placeholder), fields: Vec::new() };
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
                for (name, value) in fields {
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
    pub(super) fn first_field(&self) -> Option<Placeholder> {
        self.fields.first().map(|(_, it)| *it)
    }

    /// Reports whether a JSON pointer is that of a placeholder, or leads below one.
    pub(super) fn are_at(&self, pointer: &str) -> bool {
        let mut places = self.fields.iter().map(|(place, _)| place);
        places.any(|place| {
            let rest = pointer.strip_prefix(place.as_str());
            rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
        })
    }
}

fn placeholder(text: &str) -> Option<Placeholder> {
    if let Some((_, rest)) = text.split_once("{{")
        && rest.contains("}}")
    {
        return Some(Placeholder::Template);
    }
    let before_end = &text[..text.rfind('}')?];
    let mut rest = before_end.split("${").skip(1);
    let starts_name = |it: &str| it.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    rest.any(starts_name).then_some(Placeholder::Variable)
}
