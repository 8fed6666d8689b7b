// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use serde_json::error::Category;

use super::raw_value::as_text;
use super::scan::{JsonReader, Kind, unescaped};
use crate::json::push_step;

/// The path of a value in a JSON text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct JsonPath {
    /// The steps from the root.
    pub steps: Vec<JsonStep>,
}

/// A step of a path to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JsonStep {
    /// A field of an object.
    Field(String),
    /// An element of a list.
    Element(usize),
}

/// The lists and objects that enclose a position in a text, outermost first.
#[derive(Default)]
struct Nesting(Vec<Open>);

/// An open list or object.
enum Open {
    /// The name of the next or last field, and whether its value is still to come.
    Object(String, bool),
    /// The number of preceding elements.
    List(usize),
}

impl Nesting {
    /// Updates the path before a token.
    fn reach(&mut self, kind: Kind, text: &str) {
        match (kind, self.0.last_mut()) {
            (Kind::Close, _) => drop(self.0.pop()),
            (_, Some(Open::Object(name, awaits_value))) => {
                if !*awaits_value {
                    *name = as_text(unescaped(text)).into_owned();
                }
                *awaits_value = !*awaits_value;
            }
            _ => {}
        }
    }

    /// Updates the path after the token.
    fn pass(&mut self, kind: Kind, text: &str) {
        match (kind, self.0.last_mut()) {
            (Kind::Open, _) if text == "{" => self.0.push(Open::Object(String::new(), false)),
            (Kind::Open, _) => self.0.push(Open::List(0)),
            (_, Some(Open::List(elements))) => *elements += 1,
            _ => {}
        }
    }

    fn steps(&self) -> impl Iterator<Item = JsonStep> {
        self.0.iter().map(|open| match open {
            Open::Object(name, _) => JsonStep::Field(name.clone()),
            Open::List(index) => JsonStep::Element(*index),
        })
    }
}

impl JsonPath {
    /// Returns the path of the value that caused an error of `serde_json`.
    ///
    /// The position of the error is after the last byte read. For a missing field, that is the end of its object. For a
    /// value of another type, it is after the value, or before a list or an object. For an unknown field, it is after the
    /// name. Some values are parsed after they are read, for example durations. Then the position is after the value, or at
    /// the end of the object for the last field.
    pub fn of_error(text: &str, error: &serde_json::Error) -> Self {
        let line = error.line().saturating_sub(1);
        let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let read = before + error.column();
        let is_missing = error.to_string().starts_with("missing field");
        let (mut scanner, mut around) = (JsonReader::of(text), Nesting::default());
        while let Some(token) = scanner.next() {
            let text = scanner.text_of(token);
            let is_there = token.end() >= read;
            if is_there && text == "}" && !is_missing {
                break;
            }
            around.reach(token.kind, text);
            if is_there {
                break;
            }
            around.pass(token.kind, text);
        }
        let steps = around.steps().collect();
        Self { steps }
    }

    /// Returns the path as a JSON pointer.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.steps {
            match step {
                JsonStep::Field(name) => push_step(&mut pointer, name),
                JsonStep::Element(index) => push_step(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

/// Formats the path as `spec.provider.workers[0].name`.
impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                JsonStep::Field(name) if index == 0 => f.write_str(name)?,
                JsonStep::Field(name) => write!(f, ".{name}")?,
                JsonStep::Element(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Returns the message of `serde_json` without any value, for text that may contain credentials.
pub fn without_values(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Data => "a field has another type than expected",
        Category::Syntax => "it is not valid JSON",
        Category::Eof => "the JSON is incomplete",
        Category::Io => "it cannot be read",
    };
    format!("{what} (line {}, column {})", error.line(), error.column())
}

/// Returns the message of `serde_json` without ` at line 1 column 999`.
///
/// Users do not see the text to which the position refers.
pub fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}
