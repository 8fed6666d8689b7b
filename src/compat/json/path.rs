use std::fmt;

use super::raw_value::as_text;
use super::scan::{Kind, Scanner, unescaped};
use crate::compat::push_step;

/// The way to a value in a text of JSON.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct JsonPath {
    /// From the outside.
    pub steps: Vec<JsonStep>,
}

/// A step on the way to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JsonStep {
    /// Into an object.
    Field(String),
    /// Into a list.
    Element(usize),
}

/// The lists and objects around a place in a text, outermost first.
#[derive(Default)]
struct Around(Vec<Open>);

/// A list or object before its end.
enum Open {
    /// With the name of the field that is next or was last, and whether its value is still to come.
    Object(String, bool),
    /// With the number of elements that came before.
    List(usize),
}

impl Around {
    /// Comes to a token.
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

    /// Goes past the token that was reached.
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
    /// The way to what `serde_json` found wrong in a text: its error stands behind the last byte that it read.
    ///
    /// A missing field is found at the end of its object, a value of another type behind it, or in front of it if it is a list or
    /// an object, and a field that is not known behind its name. What is only looked at once it is read, as a duration, is found
    /// behind it, too, or at the end of its object if it is the last field.
    #[must_use]
    pub fn of_error(text: &str, error: &serde_json::Error) -> Self {
        let line = error.line().saturating_sub(1);
        let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let read = before + error.column();
        let is_missing = error.to_string().starts_with("missing field");
        let (mut scanner, mut around) = (Scanner::of(text), Around::default());
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

    /// The path as a JSON pointer.
    #[must_use]
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

/// As `spec.provider.workers[0].name`.
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

/// What `serde_json` says, without its ` at line 1 column 999`: it counts in a text that nobody ever sees.
#[must_use]
pub fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned()
}
