// SPDX-License-Identifier: Apache-2.0
//! Random changes of an object.

use garden_gate_model::api::{Object, described};
use serde_json::{Map, Value, json};

use crate::parity::corpus::{Corpus, escaped, is_fixed, unescaped};
use crate::parity::values;
use crate::random::Random;

/// An object that is changed, or a configuration inside of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// The name in the corpus.
    pub(crate) name: &'a str,
    pub(crate) fields: &'static Object,
    /// The path of the changed part; empty for the whole object.
    pub(crate) part: &'static str,
}

impl<'a> Subject<'a> {
    /// Returns an object of a kind, or a part of it.
    pub(crate) fn of(kind: &'a str, part: &'static str) -> Self {
        Self { name: kind, fields: described(kind).unwrap().object, part }
    }
}

/// Changes an object in a few fields.
pub(crate) fn change(
    object: &mut Value,
    subject: Subject<'_>,
    corpus: &Corpus,
    random: &mut Random,
) {
    for _ in 0..*random.pick(&[0, 1, 1, 1, 1, 1, 1, 2, 2, 3]) {
        if is_empty(object) {
            return;
        }
        // Some fields are outside of the part, and some cannot be reached in this object.
        for _ in 0..100 {
            if change_once(object, subject, corpus, random) {
                break;
            }
        }
    }
}

/// Replaces a random scalar of a subject by the value that `other` returns for it.
pub(crate) fn replace_scalar(
    object: &mut Value,
    part: &str,
    random: &mut Random,
    other: impl FnOnce(&Value, &mut Random) -> Option<Value>,
) {
    let mut places = places(object);
    places.retain(|it| {
        let value = object.pointer(it);
        is_of_part(part, &general(it)) && value.is_some_and(|it| !it.is_object() && !it.is_array())
    });
    if places.is_empty() {
        return;
    }
    let place = random.pick(&places);
    if let Some(value) = object.pointer(place).and_then(|it| other(it, random)) {
        replace(object, place, value);
    }
}

/// Copies a random value of an object to another place with a value of the same JSON type.
pub(crate) fn copy(object: &mut Value, random: &mut Random) {
    if is_empty(object) {
        return;
    }
    let places = places(object);
    for _ in 0..100 {
        let [from, to] = [0, 1].map(|_| random.pick(&places));
        let [value, other] = [from, to].map(|it| object.pointer(it).unwrap());
        let is_alike = std::mem::discriminant(value) == std::mem::discriminant(other);
        if is_alike && value != other && !is_fixed(from) && !is_fixed(to) {
            let value = value.clone();
            replace(object, to, value);
            return;
        }
    }
}

fn is_empty(object: &Value) -> bool {
    object.as_object().is_none_or(Map::is_empty)
}

fn change_once(
    object: &mut Value,
    subject: Subject<'_>,
    corpus: &Corpus,
    random: &mut Random,
) -> bool {
    let Subject { name, fields, part } = subject;
    let is_of_part = |place: &str| is_of_part(part, place);
    match random.below(100) {
        0..45 => {
            let Some(picked) = corpus.pick(name, random) else {
                return false;
            };
            let (place, value) = picked;
            is_of_part(place) && set(object, place, value.clone(), random)
        }
        45..80 => {
            let (place, value) = values::pick(fields, random);
            if !is_of_part(&place) {
                return false;
            }
            // Half of the values are from the corpus, since names have to refer to something.
            let known = corpus.pick_at(name, &place, random).filter(|_| random.below(2) == 0);
            let value = known.cloned().unwrap_or(value);
            set(object, &place, value, random)
        }
        80..92 => {
            let place = random.pick(&places(object)).clone();
            is_of_part(&general(&place)) && remove(object, &place)
        }
        92..96 => {
            let place = random.pick(&places(object)).clone();
            is_of_part(&general(&place)) && repeat(object, &place)
        }
        96..98 => {
            let place = random.pick(&places(object)).clone();
            let wrong = random
                .pick(&[json!(true), json!("a"), json!(7), json!([]), json!({}), json!(null)])
                .clone();
            is_of_part(&general(&place)) && replace(object, &place, wrong)
        }
        _ => {
            let place = random.pick(&places(object)).clone();
            let name = random.pick(&["foo", "Name", "nmae", "spec"]);
            is_of_part(&general(&place)) && add_field(object, &place, name)
        }
    }
}

/// Reports whether a change of this part of an object may concern a path.
fn is_of_part(part: &str, place: &str) -> bool {
    let is_status = place.starts_with("/status");
    !is_fixed(place) && place.starts_with(part) && is_status == (part == "/status")
}

/// Sets the value at a path, and creates parents; `[]` is an existing item, or a new one.
fn set(object: &mut Value, place: &str, value: Value, random: &mut Random) -> bool {
    let steps: Vec<&str> = place.split('/').skip(1).collect();
    let mut at = object;
    for step in steps {
        if step == "[]" {
            if at.is_null() {
                *at = json!([]);
            }
            let Some(items) = at.as_array_mut() else {
                return false;
            };
            if items.is_empty() || random.below(6) == 0 {
                // Most new items are copies of another one.
                let like = items.first().cloned().unwrap_or_default();
                items.push(like);
            }
            let index = random.below(items.len());
            at = &mut items[index];
        } else {
            if at.is_null() {
                *at = Value::Object(Map::new());
            }
            let Some(fields) = at.as_object_mut() else {
                return false;
            };
            at = fields.entry(unescaped(step)).or_insert(Value::Null);
        }
    }
    *at = value;
    true
}

/// Returns the paths of all values below the root, with indexes.
pub(crate) fn places(object: &Value) -> Vec<String> {
    fn walk(value: &Value, place: &str, places: &mut Vec<String>) {
        let mut inner = |step: String, value: &Value| {
            let place = format!("{place}/{step}");
            places.push(place.clone());
            walk(value, &place, places);
        };
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    inner(escaped(name), value);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    inner(index.to_string(), value);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk(object, "", &mut all);
    all
}

/// Converts `/spec/workers/0/name` to `/spec/workers/[]/name`.
pub(crate) fn general(place: &str) -> String {
    let steps = place.split('/').map(|step| match step.parse::<usize>() {
        Ok(_) => "[]",
        Err(_) => step,
    });
    steps.collect::<Vec<_>>().join("/")
}

/// Removes the value at a path.
pub(crate) fn remove(object: &mut Value, place: &str) -> bool {
    let Some((around, last)) = place.rsplit_once('/') else {
        return false;
    };
    match object.pointer_mut(around) {
        Some(Value::Object(fields)) => fields.remove(&unescaped(last)).is_some(),
        Some(Value::Array(items)) => {
            let index = last.parse().ok().filter(|index| *index < items.len());
            index.map(|index: usize| items.remove(index)).is_some()
        }
        _ => false,
    }
}

/// Duplicates an item of a list.
fn repeat(object: &mut Value, place: &str) -> bool {
    let Some((around, last)) = place.rsplit_once('/') else {
        return false;
    };
    let item = last.parse::<usize>();
    let Some((Value::Array(items), Ok(index))) = object.pointer_mut(around).map(|it| (it, item))
    else {
        return false;
    };
    let Some(item) = items.get(index).cloned() else {
        return false;
    };
    items.push(item);
    true
}

fn replace(object: &mut Value, place: &str, value: Value) -> bool {
    object.pointer_mut(place).map(|it| *it = value).is_some()
}

fn add_field(object: &mut Value, place: &str, name: &str) -> bool {
    match object.pointer_mut(place) {
        Some(Value::Object(fields)) => fields.insert(name.to_owned(), json!("a")).is_none(),
        _ => false,
    }
}

/// Replaces a value, or adds a missing field to an existing parent.
pub(crate) fn put(object: &mut Value, place: &str, value: Value) -> Option<()> {
    let (around, last) = place.rsplit_once('/')?;
    match object.pointer_mut(around)? {
        Value::Object(fields) => _ = fields.insert(unescaped(last), value),
        Value::Array(items) => {
            let index: usize = last.parse().ok()?;
            match items.get_mut(index) {
                Some(item) => *item = value,
                None => items.push(value),
            }
        }
        _ => return None,
    }
    Some(())
}
