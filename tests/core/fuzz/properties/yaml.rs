// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use garden_gate_text::json::push_step;
use garden_gate_text::yaml::{
    Document, Position, Replacement, Text, parse, parse_keeping_repeated, replace, split,
};
use serde_json::Value;

/// The replacement of a string.
const NEW: &str = "replaced";
/// Maximum number of replaced strings in a text, since each replacement parses all of it.
const REPLACED: usize = 5;
/// Maximum number of values that are looked up in a text.
const VISITED: usize = 200;

/// Parses a YAML or JSON text, and looks up its values.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    parts(text);
    as_json(text);
    let documents = match parse(text) {
        Ok(documents) => documents,
        Err(error) => {
            assert!(!error.message.is_empty());
            return Places::of(text).contain(error.position);
        }
    };
    let keeping = parse_keeping_repeated(text).unwrap();
    assert_eq!(values(&documents), values(&keeping));
    assert_eq!(replace(text, &[]), (text.to_owned(), vec![]));
    let (places, shown) = (Places::of(text), Text::new(text.to_owned()));
    let (mut to_visit, mut to_replace) = (VISITED, REPLACED);
    for (index, document) in documents.iter().enumerate() {
        let value = document.to_value();
        assert_eq!(document.decode::<Value>().as_ref(), Ok(&value));
        assert_eq!(value.is_object(), document.is_mapping());
        assert_eq!(value.is_array(), document.items().is_some());
        assert!(!document.repeats_keys());
        round_trip(document, &value);
        let mut pointers = Vec::new();
        pointers_of(&value, &mut String::new(), &mut pointers, to_visit);
        to_visit -= pointers.len();
        let positions = pointers
            .iter()
            .flat_map(|pointer| [document.position(pointer), document.key_position(pointer)]);
        for position in positions {
            places.contain(position);
            assert_eq!(shown.excerpt(position).position, position);
        }
        for pointer in &pointers {
            let part = document.part(pointer).unwrap();
            assert_eq!(Some(&part.to_value()), value.pointer(pointer));
        }
        let strings = pointers.iter().filter(|it| document.own_position(it).is_some());
        for pointer in strings.take(to_replace) {
            to_replace -= 1;
            replaced(text, &documents, index, pointer);
        }
    }
}

fn values(documents: &[Document]) -> Vec<Value> {
    documents.iter().map(Document::to_value).collect()
}

/// The parser agrees with `serde_json`.
fn as_json(text: &str) {
    let begins = text.trim_start().starts_with(['{', '[']);
    if !begins || text.starts_with('\u{feff}') {
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if let Ok(documents) = parse_keeping_repeated(text) {
        assert_eq!(values(&documents), [value]);
    }
}

/// The parts cover the whole text, and contain the same documents.
fn parts(text: &str) {
    let parts = split(text);
    let whole: String = parts.iter().map(|(_, place)| &text[place.clone()]).collect();
    assert_eq!(whole, text);
    let shared = Arc::new(text.to_owned());
    let (mut before, mut end) = (0, 0);
    for (lines, place) in &parts {
        assert_eq!((end, before), (place.start, *lines));
        let part = Text::part(Arc::clone(&shared), place.clone(), *lines);
        assert_eq!(part.as_str(), &text[place.clone()]);
        before += lines_of(part.as_str()).count() - 1;
        end = place.end;
    }
    let read = |text: &str| parse_keeping_repeated(text).map(|documents| values(&documents));
    let read_parts = parts.iter().map(|(_, place)| read(&text[place.clone()]));
    let read_parts: Result<Vec<_>, _> = read_parts.collect();
    if let (Ok(whole), Ok(parts)) = (read(text), read_parts) {
        assert_eq!(whole, parts.concat());
    }
}

/// Serialization as JSON is reversible.
fn round_trip(document: &Document, value: &Value) {
    let written = serde_json::to_string(document).unwrap();
    if value.is_object() || value.is_array() {
        let again = parse(&written).unwrap();
        assert_eq!(values(&again), std::slice::from_ref(value));
    }
}

/// Returns the lines of a text, split at each line break of YAML 1.2.
fn lines_of(text: &str) -> impl Iterator<Item = String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    lines.into_iter()
}

/// The columns of each line of a text, including that after its last character.
pub(crate) struct Places(Vec<usize>);

impl Places {
    pub(crate) fn of(text: &str) -> Self {
        Self(lines_of(text).map(|it| it.chars().count() + 1).collect())
    }

    pub(crate) fn contain(&self, position: Position) {
        let Position { line, column } = position;
        assert!(line >= 1 && column >= 1, "{position}");
        let lines = self.0.len();
        assert!(line <= lines, "{position} of {lines} lines");
        let columns = self.0[line - 1];
        assert!(column <= columns, "{position} of {columns} columns");
    }
}

/// Collects the pointers of a value and of all values in it, up to a limit.
fn pointers_of(value: &Value, pointer: &mut String, pointers: &mut Vec<String>, limit: usize) {
    if pointers.len() == limit {
        return;
    }
    pointers.push(pointer.clone());
    let length = pointer.len();
    let mut inside = |step: &str, value: &Value| {
        push_step(pointer, step);
        pointers_of(value, pointer, pointers, limit);
        pointer.truncate(length);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| inside(name, value)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| inside(&index.to_string(), value));
        }
        _ => {}
    }
}

/// A replacement of a string in the text changes only that string in the value.
fn replaced(text: &str, documents: &[Document], index: usize, pointer: &str) {
    let document = &documents[index];
    let (Some(position), Some(old)) = (document.own_position(pointer), document.text(pointer))
    else {
        return;
    };
    let replacement = Replacement { position, old: &old, new: NEW };
    let (changed, done) = replace(text, &[replacement]);
    if done == [false] {
        assert_eq!(changed, text);
        return;
    }
    let mut expected = values(documents);
    *expected[index].pointer_mut(pointer).unwrap() = NEW.into();
    let changed = parse(&changed).map(|documents| values(&documents));
    assert_eq!(changed, Ok(expected), "{pointer}");
}
