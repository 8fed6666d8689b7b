// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use garden_gate_text::json::Edit;
use garden_gate_text::json::unescape_step;

/// Whether a fix may be applied without a review of it.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Applicability {
    /// The only possible meaning of the object; applied by `review --fix`.
    Safe,
    /// One of several remedies; applied by `review --fix=all`.
    Suggestion,
}

impl Applicability {
    /// Returns the name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Suggestion => "suggestion",
        }
    }
}

/// The edits that remove the cause of a finding.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Fix {
    /// The change in the imperative, such as "replace `Gcp` with `gcp`".
    pub title: String,
    /// Whether the fix may be applied without a review of it.
    pub applicability: Applicability,
    /// The edits of the object, in the order in which they apply.
    pub edits: Vec<Edit>,
}

/// A remedy that a rule knows, from which a [`Fix`] is built.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Sets the field to a value.
    Set(Value, Applicability),
    /// Removes the field or element.
    Remove(Applicability),
    /// Renames the key.
    Rename(String, Applicability),
    /// Moves the field to another JSON pointer.
    Move(String, Applicability),
    /// Restores the stored value.
    Restore,
    /// Has a remedy at another place, relative to the field: a member, `..` for the parent, or `../sibling`.
    At(&'static str, Box<Remedy>),
}

/// The help of a finding, with its remedy if one is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// The text; may be empty.
    pub text: Cow<'static, str>,
    /// The remedy.
    pub remedy: Option<Remedy>,
}

impl Help {
    /// Returns a help that suggests to remove the field or element.
    pub fn remove(text: impl Into<Cow<'static, str>>) -> Self {
        Self::of(text, Remedy::Remove(Applicability::Suggestion))
    }

    /// Returns a help that suggests to restore the stored value.
    pub fn restore(text: impl Into<Cow<'static, str>>) -> Self {
        Self::of(text, Remedy::Restore)
    }

    /// Returns a help that suggests to set the field to a value.
    pub fn set(text: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        Self::of(text, Remedy::Set(value.into(), Applicability::Suggestion))
    }

    /// Returns the help with its remedy at another place, relative to the field: a member, `..`, or `../sibling`.
    #[must_use]
    pub fn at(self, path: &'static str) -> Self {
        let remedy = self.remedy.map(|it| Remedy::At(path, Box::new(it)));
        Self { remedy, ..self }
    }

    /// Returns a help with a remedy.
    pub fn of(text: impl Into<Cow<'static, str>>, remedy: impl Into<Option<Remedy>>) -> Self {
        let (text, remedy) = (text.into(), remedy.into());
        Self { text, remedy }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Self {
        Self::of(text.to_owned(), None)
    }
}

impl From<String> for Help {
    fn from(text: String) -> Self {
        Self::of(text, None)
    }
}

impl From<&String> for Help {
    fn from(text: &String) -> Self {
        Self::of(text.clone(), None)
    }
}

impl From<Cow<'static, str>> for Help {
    fn from(text: Cow<'static, str>) -> Self {
        Self::of(text, None)
    }
}

/// Maximum length of a value in a title, in characters.
const LONGEST: usize = 80;

impl Fix {
    /// Returns a suggestion to set the value at `pointer`.
    pub fn set(pointer: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        Self {
            title: format!("set `{}` to `{}`", name(pointer), shown(&value)),
            applicability: Applicability::Suggestion,
            edits: vec![Edit::Replace { pointer: pointer.to_owned(), value }],
        }
    }

    /// Returns a suggestion to remove the member or element at `pointer`.
    pub fn remove(pointer: &str) -> Self {
        Self {
            title: format!("remove `{}`", name(pointer)),
            applicability: Applicability::Suggestion,
            edits: vec![Edit::Remove { pointer: pointer.to_owned() }],
        }
    }

    /// Returns a suggestion to rename the key at `pointer`.
    pub fn rename(pointer: &str, key: &str) -> Self {
        Self {
            title: format!("rename `{}` to `{key}`", name(pointer)),
            applicability: Applicability::Suggestion,
            edits: vec![Edit::Rename { pointer: pointer.to_owned(), key: key.to_owned() }],
        }
    }

    /// Returns the fix as one that may be applied without a review of it.
    #[must_use]
    pub fn safe(self) -> Self {
        Self { applicability: Applicability::Safe, ..self }
    }
}

/// Returns the last named step of a JSON pointer, with the indices after it.
pub(super) fn name(pointer: &str) -> String {
    let mut indices = String::new();
    for step in pointer.rsplit('/') {
        let is_index = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        if !is_index {
            return format!("{}{indices}", unescape_step(step));
        }
        indices = format!("[{step}]{indices}");
    }
    indices
}

/// Formats a value for a title; long ones are shortened.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) if !text.is_empty() => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_field_and_value() {
        let titles = [
            Fix::set("/spec/region", "eu").title,
            Fix::set("/spec/workers/1/zones/0", "a").title,
            Fix::remove("/metadata/annotations/a~1b").title,
            Fix::rename("/spec/Region", "region").title,
            Fix::set("/spec/x", "").title,
        ];
        let expected = [
            "set `region` to `eu`",
            "set `zones[0]` to `a`",
            "remove `a/b`",
            "rename `Region` to `region`",
            "set `x` to `\"\"`",
        ];
        assert_eq!(titles, expected);
    }
}
