use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::known::POLICY_PREFIX;
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
pub(super) struct LocatedValue<'a> {
    pub(super) value: &'a Value,
    /// The JSON pointer.
    pointer: String,
    /// The path for messages, such as `a.b[0]`; empty for the whole document.
    path: String,
}

impl<'a> LocatedValue<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, pointer: String::new(), path: String::new() }
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
        Self { value, pointer, path: format!("{}{dot}{name}", self.path) }
    }

    fn item(&self, index: usize, value: &'a Value) -> Self {
        Self {
            value,
            pointer: format!("{}/{index}", self.pointer),
            path: format!("{}[{index}]", self.path),
        }
    }

    pub(super) fn name(&self) -> String {
        if self.path.is_empty() {
            "the file".to_owned()
        } else {
            format!("`{}`", shortened(&self.path))
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, document: &'a Document) -> Self {
        Self { file, document, problems: Vec::new() }
    }

    pub(super) fn position(&self, at: &LocatedValue<'_>) -> Position {
        self.document.position(&at.pointer)
    }

    pub(super) fn key_position(&self, at: &LocatedValue<'_>) -> Position {
        self.document.key_position(&at.pointer)
    }

    /// Reports an error about a value.
    pub(super) fn error(
        &mut self,
        at: &LocatedValue<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Error, message.into(), help.into(), |document| {
            document.position(&at.pointer)
        });
    }

    /// Reports a warning about a value.
    pub(super) fn warn(
        &mut self,
        at: &LocatedValue<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Warning, message.into(), help.into(), |document| {
            document.position(&at.pointer)
        });
    }

    /// Reports an error about the key of a value.
    pub(super) fn key_error(
        &mut self,
        at: &LocatedValue<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Error, message.into(), help.into(), |document| {
            document.key_position(&at.pointer)
        });
    }

    /// Reports a note about the key of a value.
    fn key_note(
        &mut self,
        at: &LocatedValue<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Severity::Note, message.into(), help.into(), |document| {
            document.key_position(&at.pointer)
        });
    }

    fn note(
        &mut self,
        severity: Severity,
        message: String,
        help: String,
        place: impl Fn(&Document) -> Position,
    ) {
        let (message, help) = match self.problems.len() {
            0..MOST_PROBLEMS => (message, help),
            MOST_PROBLEMS if severity == Severity::Error => (TOO_MANY.to_owned(), String::new()),
            _ => return,
        };
        let position = place(self.document);
        let problem = ConfigProblem::new(self.file, position, severity, &message, &help);
        self.problems.push(problem);
    }

    /// Returns a suggestion.
    ///
    /// Skips the expensive search once the maximum number of problems is reached.
    pub(super) fn did_you_mean(&self, word: &str, known: &[&str]) -> Option<String> {
        let shown = self.problems.len() < MOST_PROBLEMS;
        shown.then(|| did_you_mean(word, known)).flatten()
    }

    /// Reports a value of a wrong type.
    pub(super) fn wrong_type(&mut self, at: &LocatedValue<'_>, expected: &str, help: &str) {
        let found = match at.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(_) | Value::Number(_) => format!("`{}`", at.value),
            Value::String(text) => format!("`{}`", shortened(text)),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "a mapping".to_owned(),
        };
        self.error(at, format!("{} must be {expected}, but is {found}", at.name()), help);
    }

    /// Reports whether the value is a mapping, and reports fields that are not in `known`.
    pub(super) fn mapping(&mut self, at: &LocatedValue<'_>, known: &[&str]) -> bool {
        let Some(entries) = self.entries(at) else {
            return false;
        };
        for (name, entry) in entries {
            if !known.contains(&name) {
                let help = self
                    .did_you_mean(name, known)
                    .unwrap_or_else(|| format!("the fields here are {}", quoted(known)));
                let message = format!("{} has no field `{}`", at.name(), shortened(name));
                self.key_error(&entry, message, help);
            }
        }
        true
    }

    /// Returns the entries of a mapping with arbitrary keys.
    pub(super) fn entries<'v>(
        &mut self,
        at: &LocatedValue<'v>,
    ) -> Option<Vec<(&'v str, LocatedValue<'v>)>> {
        let Value::Object(entries) = at.value else {
            self.wrong_type(at, "a mapping", "");
            return None;
        };
        Some(entries.iter().map(|(name, value)| (name.as_str(), at.named(name, value))).collect())
    }

    pub(super) fn items<'v>(&mut self, at: &LocatedValue<'v>) -> Vec<LocatedValue<'v>> {
        let Value::Array(items) = at.value else {
            self.wrong_type(at, "a list", "");
            return Vec::new();
        };
        items.iter().enumerate().map(|(index, item)| at.item(index, item)).collect()
    }

    pub(super) fn text<'v>(&mut self, at: &LocatedValue<'v>) -> Option<&'v str> {
        if !at.value.is_string() {
            let scalar = at.value.is_boolean() || at.value.is_number();
            self.wrong_type(at, "text", if scalar { "put it in quotes" } else { "" });
        }
        at.value.as_str()
    }

    pub(super) fn boolean(&mut self, at: &LocatedValue<'_>) -> Option<bool> {
        if !at.value.is_boolean() {
            self.wrong_type(at, "true or false", "");
        }
        at.value.as_bool()
    }

    /// Parses a list of names, which must be non-empty and unique.
    pub(super) fn names(&mut self, at: &LocatedValue<'_>) -> Vec<String> {
        let mut names = BTreeSet::new();
        for item in self.items(at) {
            match self.text(&item) {
                Some("") => self.error(
                    &item,
                    format!("{} is empty", item.name()),
                    "write a name, or remove the entry",
                ),
                Some(name) if !names.insert(name.to_owned()) => {
                    self.error(&item, format!("`{name}` is listed twice"), "remove one of the two");
                }
                _ => {}
            }
        }
        names.into_iter().collect()
    }

    /// Decodes a field that has one of the `allowed` values.
    pub(super) fn choice<T: DeserializeOwned>(
        &mut self,
        at: &LocatedValue<'_>,
        allowed: &[&str],
    ) -> Option<T> {
        self.one_of(at, allowed);
        T::deserialize(at.value).ok()
    }

    /// Checks that a field has one of the `allowed` values.
    pub(super) fn one_of(&mut self, at: &LocatedValue<'_>, allowed: &[&str]) -> bool {
        let Some(text) = self.text(at) else {
            return false;
        };
        if allowed.contains(&text) {
            return true;
        }
        let help = self.did_you_mean(text, allowed).unwrap_or_default();
        self.error(
            at,
            format!("{} must be {}, but is `{}`", at.name(), either(allowed), shortened(text)),
            help,
        );
        false
    }
}

/// Maximum length of quoted text, sufficient for every id.
const LONGEST_SHOWN: usize = 80;

/// Escapes and shortens text from a file for a message.
pub(super) fn shortened(text: &str) -> String {
    let shown: String = text.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST_SHOWN).is_some() { format!("{shown}…") } else { shown }
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

fn either(words: &[&str]) -> String {
    quoted(words).replace(", ", " or ")
}

/// Reports that it is not known whether a policy exists.
pub(super) fn note_policy(reader: &mut Reader<'_>, at: &LocatedValue<'_>, id: &str) {
    let message = format!("it is not checked whether the policy `{}` exists", shortened(id));
    reader.key_note(at, message, "name the policies with `--policies`");
}

/// Reports an unknown id, with the most similar known id.
pub(super) fn unknown_id(
    reader: &mut Reader<'_>,
    at: &LocatedValue<'_>,
    id: &str,
    ids: &[&str],
    what: &str,
) {
    let is_policy = id.starts_with(POLICY_PREFIX);
    let what = if is_policy { "no GardenPolicy" } else { what };
    let help = reader.did_you_mean(id, ids);
    let help = help.unwrap_or_else(|| {
        let help = if is_policy { "it is `policy/` and the name of a policy in `--policies`; bindings set the levels of ValidatingAdmissionPolicies" } else { "`garden-gate rules` lists all" };
        help.to_owned()
    });
    reader.key_error(at, format!("{what} has the id `{}`", shortened(id)), help);
}
