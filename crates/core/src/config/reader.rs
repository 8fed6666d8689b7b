// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::problem::{ConfigProblem, Severity};
use garden_gate_text::json::push_step;
use garden_gate_text::nearest::did_you_mean;
use garden_gate_text::yaml::{Document, Position};

/// Reads a document field by field, and collects errors with their positions.
pub(super) struct Reader<'a> {
    file: &'a str,
    document: &'a Document,
    pub(super) problems: Vec<ConfigProblem>,
}

/// Maximum number of problems; a file with more is probably of another type.
const MOST_PROBLEMS: usize = 100;
const TOO_MANY: &str = "there are more mistakes, which are not shown";

/// A value with its position.
#[derive(Clone, Debug)]
pub(super) struct Located<'a> {
    pub(super) value: &'a Value,
    /// The JSON pointer.
    pointer: String,
    /// The path for messages, such as `a.b[0]`; empty for the whole document.
    path: String,
    /// Whether the position is that of the key.
    at_key: bool,
}

/// Stores a value, and reports its errors.
pub(super) type Parser<'f> = &'f mut dyn FnMut(&mut Reader<'_>, &Located<'_>);
/// The name of a field, and its parser.
pub(super) type Field<'f> = (&'f str, Parser<'f>);

impl<'a> Located<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, pointer: String::new(), path: String::new(), at_key: false }
    }

    /// Returns a field of a mapping.
    /// An empty field (`field:`) counts as absent.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.named(name, value))
    }

    fn named(&self, name: &str, value: &'a Value) -> Self {
        let mut pointer = self.pointer.clone();
        push_step(&mut pointer, name);
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { value, pointer, path: format!("{}{dot}{name}", self.path), at_key: false }
    }

    fn item(&self, index: usize, value: &'a Value) -> Self {
        let (pointer, path) = (&self.pointer, &self.path);
        let (pointer, path) = (format!("{pointer}/{index}"), format!("{path}[{index}]"));
        Self { value, pointer, path, at_key: false }
    }

    /// Returns the same value with the position of its key.
    pub(super) fn key(&self) -> Self {
        Self { at_key: true, ..self.clone() }
    }

    pub(super) fn name(&self) -> String {
        match self.path.as_str() {
            "" => "the file".to_owned(),
            path => format!("`{}`", shortened(path)),
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, document: &'a Document) -> Self {
        Self { file, document, problems: Vec::new() }
    }

    pub(super) fn position(&self, at: &Located<'_>) -> Position {
        if at.at_key {
            self.document.key_position(&at.pointer)
        } else {
            self.document.position(&at.pointer)
        }
    }

    /// Reports an error at a value.
    pub(super) fn error(&mut self, at: &Located<'_>, message: &str, help: &str) {
        self.report(Severity::Error, at, message, help);
    }

    pub(super) fn report(&mut self, kind: Severity, at: &Located<'_>, message: &str, help: &str) {
        let (message, help) = match self.problems.len() {
            0..MOST_PROBLEMS => (message, help),
            MOST_PROBLEMS if kind == Severity::Error => (TOO_MANY, ""),
            _ => return,
        };
        let problem = ConfigProblem::new(self.file, self.position(at), kind, message, help);
        self.problems.push(problem);
    }

    /// Returns a suggestion, or else `help`.
    ///
    /// Skips the expensive search once the maximum number of problems is reached.
    pub(super) fn suggest(&self, word: &str, known: &[&str], help: impl Into<String>) -> String {
        let shown = self.problems.len() < MOST_PROBLEMS;
        shown.then(|| did_you_mean(word, known)).flatten().unwrap_or_else(|| help.into())
    }

    /// Returns the `typed` value, or reports that the value has another type than `expected`.
    pub(super) fn typed<T>(
        &mut self,
        at: &Located<'_>,
        typed: Option<T>,
        expected: &str,
        help: &str,
    ) -> Option<T> {
        if typed.is_none() {
            let found = match at.value {
                Value::Null => "nothing".to_owned(),
                Value::Bool(_) | Value::Number(_) => format!("`{}`", at.value),
                Value::String(text) => format!("`{}`", shortened(text)),
                Value::Array(_) => "a list".to_owned(),
                Value::Object(_) => "a mapping".to_owned(),
            };
            self.error(at, &format!("{} must be {expected}, but is {found}", at.name()), help);
        }
        typed
    }

    /// Returns a parsed value, or reports why it is not valid.
    pub(super) fn valid<T>(
        &mut self,
        at: &Located<'_>,
        parsed: Result<T, impl Display>,
        help: &str,
    ) -> Option<T> {
        parsed.map_err(|why| self.error(at, &why.to_string(), help)).ok()
    }

    /// Parses the fields of a mapping, and reports others.
    pub(super) fn fields(&mut self, at: &Located<'_>, fields: &mut [Field<'_>]) {
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        self.mapping(at, &names);
        for (name, parse) in fields {
            if let Some(at) = at.field(name) {
                parse(self, &at);
            }
        }
    }

    /// Reports whether the value is a mapping, and reports fields that are not in `known`.
    pub(super) fn mapping(&mut self, at: &Located<'_>, known: &[&str]) -> bool {
        for (name, entry) in self.entries(at) {
            if !known.contains(&name) {
                let fields = format!("the fields here are {}", quoted(known));
                let help = self.suggest(name, known, fields);
                let message = format!("{} has no field `{}`", at.name(), shortened(name));
                self.error(&entry.key(), &message, &help);
            }
        }
        at.value.is_object()
    }

    /// Returns the entries of a mapping with arbitrary keys.
    pub(super) fn entries<'v>(&mut self, at: &Located<'v>) -> Vec<(&'v str, Located<'v>)> {
        let entries = self.typed(at, at.value.as_object(), "a mapping", "").into_iter().flatten();
        entries.map(|(name, value)| (name.as_str(), at.named(name, value))).collect()
    }

    pub(super) fn items<'v>(&mut self, at: &Located<'v>) -> Vec<Located<'v>> {
        let items = self.typed(at, at.value.as_array(), "a list", "").into_iter().flatten();
        items.enumerate().map(|(index, item)| at.item(index, item)).collect()
    }

    pub(super) fn text<'v>(&mut self, at: &Located<'v>) -> Option<&'v str> {
        let is_scalar = at.value.is_boolean() || at.value.is_number();
        self.typed(at, at.value.as_str(), "text", if is_scalar { "put it in quotes" } else { "" })
    }

    pub(super) fn boolean(&mut self, at: &Located<'_>) -> Option<bool> {
        self.typed(at, at.value.as_bool(), "true or false", "")
    }

    /// Parses a list of names, which must be non-empty and unique.
    pub(super) fn names(&mut self, at: &Located<'_>) -> Vec<String> {
        let mut names = BTreeSet::new();
        for item in self.items(at) {
            match self.text(&item) {
                Some("") => {
                    let message = format!("{} is empty", item.name());
                    self.error(&item, &message, "write a name, or remove the entry");
                }
                Some(name) if !names.insert(name.to_owned()) => {
                    self.error(
                        &item,
                        &format!("`{name}` is listed twice"),
                        "remove one of the two",
                    );
                }
                _ => {}
            }
        }
        names.into_iter().collect()
    }

    /// Decodes a field that has one of the `allowed` values.
    pub(super) fn choice<T>(&mut self, at: &Located<'_>, allowed: &[&str]) -> T
    where
        T: DeserializeOwned + Default,
    {
        self.one_of(at, allowed);
        T::deserialize(at.value).unwrap_or_default()
    }

    /// Checks that a field has one of the `allowed` values.
    pub(super) fn one_of(&mut self, at: &Located<'_>, allowed: &[&str]) -> bool {
        let Some(text) = self.text(at) else {
            return false;
        };
        let is_allowed = allowed.contains(&text);
        if !is_allowed {
            let (name, allowed_ones) = (at.name(), quoted(allowed).replace(", ", " or "));
            let message = format!("{name} must be {allowed_ones}, but is `{}`", shortened(text));
            self.error(at, &message, &self.suggest(text, allowed, ""));
        }
        is_allowed
    }
}

/// Maximum length of quoted text, sufficient for every id.
const LONGEST_SHOWN: usize = 80;

/// Escapes and shortens text from a file for a message.
pub(super) fn shortened(text: &str) -> String {
    let shown: String = text.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST_SHOWN).is_some() { format!("{shown}…") } else { shown }
}

/// Lists words in quotes.
pub(super) fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
