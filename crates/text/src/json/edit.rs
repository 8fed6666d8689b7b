// SPDX-License-Identifier: Apache-2.0
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::unescape_step;

/// A change of a JSON object at a JSON pointer.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Edit {
    /// Replaces the value at `pointer`.
    Replace {
        /// The JSON pointer.
        pointer: String,
        /// The new value.
        value: Value,
    },
    /// Renames the key at `pointer`.
    Rename {
        /// The JSON pointer.
        pointer: String,
        /// The new key.
        key: String,
    },
    /// Adds the member at `pointer`; its parents exist, or are added as mappings.
    Insert {
        /// The JSON pointer.
        pointer: String,
        /// The value.
        value: Value,
    },
    /// Removes the member or element at `pointer`.
    Remove {
        /// The JSON pointer.
        pointer: String,
    },
}

impl Edit {
    /// Returns the JSON pointer of the edited value.
    pub fn pointer(&self) -> &str {
        match self {
            Edit::Replace { pointer, .. }
            | Edit::Rename { pointer, .. }
            | Edit::Insert { pointer, .. }
            | Edit::Remove { pointer } => pointer,
        }
    }

    /// Reports whether the object has the place of the edit.
    ///
    /// An edit never replaces another member: `Insert` and `Rename` do not fit if the key exists.
    pub fn fits(&self, object: &Value) -> bool {
        match self {
            Edit::Replace { pointer, .. } => object.pointer(pointer).is_some(),
            Edit::Rename { pointer, key } => split(pointer).is_some_and(|(parent, name)| {
                let members = object.pointer(parent).and_then(Value::as_object);
                members.is_some_and(|it| it.contains_key(&name) && !it.contains_key(key))
            }),
            Edit::Insert { pointer, .. } => existing(object, pointer)
                .is_some_and(|(parent, _)| object.pointer(parent).is_some_and(Value::is_object)),
            Edit::Remove { pointer } => !pointer.is_empty() && object.pointer(pointer).is_some(),
        }
    }

    /// Applies the edit to an object; returns `None`, and changes nothing, if it does not fit.
    pub fn apply(&self, object: &mut Value) -> Option<()> {
        if !self.fits(object) {
            return None;
        }
        match self {
            Edit::Replace { pointer, value } => *object.pointer_mut(pointer)? = value.clone(),
            Edit::Rename { pointer, key } => {
                let (parent, name) = split(pointer)?;
                let members = object.pointer_mut(parent)?.as_object_mut()?;
                let value = members.remove(&name)?;
                members.insert(key.clone(), value);
            }
            Edit::Insert { pointer, value } => {
                let (existing, mut missing) = existing(object, pointer)?;
                let first = missing.remove(0);
                let nested = missing
                    .into_iter()
                    .rev()
                    .fold(value.clone(), |value, key| Map::from_iter([(key, value)]).into());
                let members = object.pointer_mut(existing)?.as_object_mut()?;
                members.insert(first, nested);
            }
            Edit::Remove { pointer } => {
                let (parent, name) = split(pointer)?;
                match object.pointer_mut(parent)? {
                    Value::Array(items) => drop(items.remove(name.parse().ok()?)),
                    members => drop(members.as_object_mut()?.remove(&name)),
                }
            }
        }
        Some(())
    }
}

/// Splits a JSON pointer into that of the parent and the unescaped last step.
fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, name) = pointer.rsplit_once('/')?;
    Some((parent, unescape_step(name)))
}

/// Returns the pointer of the deepest existing parent, and the missing steps; `null` counts as missing.
///
/// Returns `None` if the value exists.
fn existing<'p>(object: &Value, pointer: &'p str) -> Option<(&'p str, Vec<String>)> {
    let (mut at, mut missing) = (pointer, Vec::new());
    while object.pointer(at).is_none_or(Value::is_null) {
        let (parent, name) = split(at)?;
        missing.insert(0, name);
        at = parent;
    }
    (!missing.is_empty()).then_some((at, missing))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn replace(pointer: &str, value: Value) -> Edit {
        Edit::Replace { pointer: pointer.to_owned(), value }
    }

    fn insert(pointer: &str, value: Value) -> Edit {
        Edit::Insert { pointer: pointer.to_owned(), value }
    }

    fn rename(pointer: &str, key: &str) -> Edit {
        let (pointer, key) = (pointer.to_owned(), key.to_owned());
        Edit::Rename { pointer, key }
    }

    fn remove(pointer: &str) -> Edit {
        Edit::Remove { pointer: pointer.to_owned() }
    }

    #[rstest]
    #[case::replace(replace("/a/b", json!(2)), json!({"a": {"b": 2}, "l": [1, 2]}))]
    #[case::rename(rename("/a/b", "c"), json!({"a": {"c": 1}, "l": [1, 2]}))]
    #[case::insert(insert("/a/x~1y", json!(2)), json!({"a": {"b": 1, "x/y": 2}, "l": [1, 2]}))]
    #[case::insert_nested(insert("/n/m", json!(2)), json!({"a": {"b": 1}, "l": [1, 2], "n": {"m": 2}}))]
    #[case::remove(remove("/a/b"), json!({"a": {}, "l": [1, 2]}))]
    #[case::remove_element(remove("/l/0"), json!({"a": {"b": 1}, "l": [2]}))]
    fn edit_changes_the_object(#[case] edit: Edit, #[case] expected: Value) {
        let mut object = json!({"a": {"b": 1}, "l": [1, 2]});
        assert_eq!(edit.apply(&mut object), Some(()));
        assert_eq!(object, expected);
    }

    #[rstest]
    #[case::replace_missing(replace("/x", json!(1)))]
    #[case::rename_to_existing(rename("/a", "l"))]
    #[case::rename_element(rename("/l/0", "x"))]
    #[case::insert_existing(insert("/a", json!(1)))]
    #[case::insert_into_list(insert("/l/7", json!(1)))]
    #[case::insert_into_number(insert("/a/b/c", json!(1)))]
    #[case::remove_missing(remove("/x"))]
    #[case::remove_missing_element(remove("/l/2"))]
    #[case::remove_root(remove(""))]
    fn impossible_edit_changes_nothing(#[case] edit: Edit) {
        let before = json!({"a": {"b": 1}, "l": [1, 2]});
        let mut object = before.clone();
        assert_eq!(edit.apply(&mut object), None);
        assert_eq!(object, before);
    }
}
